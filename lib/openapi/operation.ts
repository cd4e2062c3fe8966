import * as z from "zod";
import type { EndpointContract } from "../contract/endpoint.ts";
import { FHIR_MEDIA_TYPE, isFhirPath } from "../contract/fhir-paths.ts";
import { operationOutcome } from "../domain/fhir/operation-outcome.ts";
import { toCodeSample } from "./code-sample.ts";
import type { OpenApiObject } from "./component-schema.ts";
import { type Components, toJsonContent } from "./components.ts";
import { withExample } from "./examples.ts";
import type { DocumentedRoute } from "./routes.ts";
import { toSecurity } from "./security.ts";

/** Creates the OpenAPI operation of a route from its contract. */
export function toOperation(route: DocumentedRoute, components: Components): OpenApiObject {
  const { contract, operationId, path, summary, params, response } = route;
  const { method } = contract;
  const paths = [path, contract.path];
  const answer =
    contract.status === 204
      ? { description: "Done" }
      : withExample({ description: "Success", ...toResponseContent(response, components) }, "response", method, paths);
  return {
    operationId,
    tags: [contract.tag],
    summary,
    description: joinSentences(contract.description),
    ...(contract.deprecated ? { deprecated: true } : {}),
    security: toSecurity(contract),
    parameters: [
      ...toParameters("path", pickPathParams(params, path), components),
      ...toParameters("query", contract.query, components),
    ],
    ...toRequestBody(contract, paths, components),
    responses: { [contract.status]: answer, ...toErrorResponses(contract, components) },
    "x-codeSamples": [toCodeSample(route)],
  };
}

/** Joins sentences to Markdown. A paragraph begins after an empty sentence, and after a list of items. */
function joinSentences(sentences: readonly string[]): string {
  const isItem = (sentence = "") => sentence.startsWith("- ");
  return sentences.reduce((text, sentence, place) => {
    const before = sentences[place - 1];
    if (place === 0 || sentence === "") return text + sentence;
    if (isItem(sentence)) return `${text}${isItem(before) ? "\n" : "\n\n"}${sentence}`;
    return `${text}${before === "" || isItem(before) ? "\n\n" : " "}${sentence}`;
  }, "");
}

/** The error responses of an operation: one per status, with the codes that it may have. */
function toErrorResponses(contract: EndpointContract, components: Components): OpenApiObject {
  const isFhir = isFhirPath(contract.path);
  const kinds = [...contract.errors, { status: isFhir ? 400 : 422, code: "validation_failed" }];
  if (contract.body) kinds.push({ status: 400, code: "malformed_body" }, { status: 413, code: "body_too_large" });
  if (contract.auth !== "none") kinds.push({ status: 401, code: "unauthorized" });
  if (contract.auth === "team") kinds.push({ status: 403, code: "forbidden" });
  if (contract.auth === "team" || contract.auth === "lab") kinds.push({ status: 429, code: "too_many_requests" });
  const byStatus = Map.groupBy(kinds, ({ status }) => status);
  const content = isFhir
    ? toJsonContent(components.toReference(operationOutcome, "output"), FHIR_MEDIA_TYPE)
    : toJsonContent({ $ref: "#/components/schemas/Error" });
  const responses = [...byStatus].map(([status, ofStatus]) => {
    const codes = [...new Set(ofStatus.map(({ code }) => `\`${code}\``))];
    return [status, { description: `Refused: ${codes.join(", ")}`, ...content }] as const;
  });
  return Object.fromEntries(responses);
}

/** The request body: JSON, text of the given media types, or a form. */
function toRequestBody(
  { body, form, mediaTypes, method }: EndpointContract,
  paths: readonly string[],
  components: Components,
): OpenApiObject {
  if (form) {
    const content = { "multipart/form-data": { schema: components.toReference(form, "input") } };
    return { requestBody: { required: true, content } };
  }
  if (!body) return {};
  const content = withExample(toRequestContent(mediaTypes, body, components), "request", method, paths);
  return { requestBody: { required: true, ...content } };
}

function toRequestContent(
  mediaTypes: EndpointContract["mediaTypes"],
  body: z.ZodType,
  components: Components,
): OpenApiObject {
  const schema = components.toReference(body, "input");
  if (!mediaTypes) return toJsonContent(schema);
  // A body that the service reads as text may be JSON for the client.
  const schemaOf = (type: string) => (type.endsWith("json") ? { type: "object" } : schema);
  return { content: Object.fromEntries(mediaTypes.map((type) => [type, { schema: schemaOf(type) }])) };
}

/** The response content: JSON, a FHIR resource, or a file of the media type in the schema's metadata. */
function toResponseContent(response: z.ZodType, components: Components): OpenApiObject {
  const { mediaType, description } = response.meta() ?? {};
  if (typeof mediaType !== "string")
    return toJsonContent(
      components.toReference(response, "output"),
      isResource(response) ? FHIR_MEDIA_TYPE : undefined,
    );
  return { content: { [mediaType]: { schema: { type: "string", format: "binary", description } } } };
}

/** Whether a schema is that of a FHIR resource, or of one of several. */
const isResource = (schema: unknown): boolean =>
  schema instanceof z.ZodUnion
    ? schema.options.every(isResource)
    : schema instanceof z.ZodObject && "resourceType" in schema.shape;

/** The path parameters of a path. An alias may omit a parameter with a default. */
function pickPathParams(params: z.ZodObject, path: string): z.ZodObject {
  const named = Object.entries<z.ZodType>(params.shape).filter(([name]) => path.includes(`{${name}}`));
  return z.object(Object.fromEntries(named));
}

function toParameters(where: "path" | "query", schema: z.ZodObject, components: Components): OpenApiObject[] {
  return Object.entries<z.ZodType>(schema.shape).map(([name, field]) => ({
    name,
    in: where,
    required: where === "path" || !field.safeParse(undefined).success,
    ...(field.meta()?.deprecated ? { deprecated: true } : {}),
    schema: components.toReference(field, "input"),
  }));
}
