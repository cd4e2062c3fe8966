import * as z from "zod";
import type { EndpointContract } from "../contract/endpoint.ts";
import { toCodeSample } from "./code-sample.ts";
import { type Components, type OpenApiObject, toJsonContent } from "./components.ts";
import type { DocumentedRoute } from "./routes.ts";
import { toSecurity } from "./security.ts";

/** Creates the OpenAPI operation of a route from its contract. */
export function toOperation(route: DocumentedRoute, components: Components): OpenApiObject {
  const { contract, operationId, path, summary, params, response } = route;
  const answer =
    contract.status === 204
      ? { description: "Done" }
      : { description: "Success", ...toResponseContent(response, components) };
  return {
    operationId,
    tags: [contract.tag],
    summary,
    ...(contract.description ? { description: joinSentences(contract.description) } : {}),
    ...(contract.deprecated ? { deprecated: true } : {}),
    security: toSecurity(contract),
    parameters: [
      ...toParameters("path", pickPathParams(params, path), components),
      ...toParameters("query", contract.query, components),
    ],
    ...toRequestBody(contract, components),
    responses: { [contract.status]: answer, ...toErrorResponses(contract) },
    "x-codeSamples": [toCodeSample(route)],
  };
}

/** Joins sentences to Markdown. An empty sentence starts a paragraph, and a list stands on lines of its own. */
function joinSentences(sentences: readonly string[]): string {
  const parts = sentences.map((sentence) =>
    sentence === "" || sentence.startsWith("- ") ? `\n${sentence}` : sentence,
  );
  return parts
    .join(" ")
    .replaceAll(/ *\n */g, "\n")
    .replaceAll(/\n(?!- )/g, "\n\n")
    .trim();
}

/** The error responses of an operation: one per status, with the codes that it may have. */
function toErrorResponses(contract: EndpointContract): OpenApiObject {
  const kinds = [...contract.errors, { status: 422, code: "validation_failed" }];
  if (contract.body) kinds.push({ status: 400, code: "malformed_body" }, { status: 413, code: "body_too_large" });
  if (contract.auth !== "none") kinds.push({ status: 401, code: "unauthorized" });
  if (contract.auth === "team") kinds.push({ status: 403, code: "forbidden" });
  if (contract.auth === "team" || contract.auth === "lab") kinds.push({ status: 429, code: "too_many_requests" });
  const byStatus = Map.groupBy(kinds, ({ status }) => status);
  const content = toJsonContent({ $ref: "#/components/schemas/Error" });
  const responses = [...byStatus].map(([status, ofStatus]) => {
    const codes = [...new Set(ofStatus.map(({ code }) => `\`${code}\``))];
    return [status, { description: `Refused: ${codes.join(", ")}`, ...content }] as const;
  });
  return Object.fromEntries(responses);
}

/** The request body: JSON, text of the given media types, or a form. */
function toRequestBody({ body, form, mediaTypes }: EndpointContract, components: Components): OpenApiObject {
  if (form) {
    const content = { "multipart/form-data": { schema: components.toReference(form, "input") } };
    return { requestBody: { required: true, content } };
  }
  return body ? { requestBody: { required: true, ...toRequestContent(mediaTypes, body, components) } } : {};
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

/** The response content: JSON, or a file of the media type in the schema's metadata. */
function toResponseContent(response: z.ZodType, components: Components): OpenApiObject {
  const { mediaType, description } = response.meta() ?? {};
  if (typeof mediaType !== "string") return toJsonContent(components.toReference(response, "output"));
  return { content: { [mediaType]: { schema: { type: "string", format: "binary", description } } } };
}

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
