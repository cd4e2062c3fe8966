import * as z from "zod";
import { endpoints } from "../../functions/index.ts";
import {
  labKeyHeader,
  linkTokenHeaders,
  managementKeyHeaders,
  portalSessionHeader,
  reviewLinkHeader,
  teamKeyHeaders,
} from "../contract/compatibility.ts";
import type { Auth, EndpointContract } from "../contract/endpoint.ts";
import { requiredKeyScope } from "../contract/required-key-scope.ts";
import { Components, type OpenApiObject, toJsonContent } from "./components.ts";
import { createWebhookOperations, webhookResponses, webhookTag } from "./webhooks.ts";

const errorSchema = z
  .object({
    detail: z.union([
      z.string(),
      z.array(z.object({ loc: z.array(z.union([z.string(), z.number()])), msg: z.string(), type: z.string() })),
      z.record(z.string(), z.unknown()),
    ]),
    code: z.string(),
    request_id: z.string(),
  })
  .meta({ id: "Error", description: "The body of every error" });

const security: Readonly<Record<Auth, readonly OpenApiObject[]>> = {
  team: [{ team_key: [] }, { access_token: [] }],
  lab: [{ lab_key: [] }],
  management: [{ management_key: [] }],
  portal: [{ portal_session: [] }],
  review: [{ review_link: [] }],
  link: [{ link_token: [] }],
  session: [{ session: [] }],
  none: [],
};

/** A documented route of a contract. */
interface DocumentedRoute {
  readonly contract: EndpointContract;
  readonly operationId: string;
  readonly path: string;
  readonly params: z.ZodObject;
  readonly response: z.ZodType;
}

/** The values of an enum schema, with or without default. */
function listEnumValues(schema: z.ZodType | undefined): unknown {
  return schema instanceof z.ZodDefault ? listEnumValues(schema.unwrap() as z.ZodType) : (schema as z.ZodEnum).options;
}

/** The routes of a contract: its path and aliases, or one per value of the expanded parameter. */
function expandRoutes(contract: EndpointContract): DocumentedRoute[] {
  const { expand, params, response, operationId } = contract;
  const paths = [contract.path, ...contract.aliases];
  if (!expand) {
    const nameAt = (place: number) => (place === 0 ? operationId : `${operationId}_${place + 1}`);
    return paths.map((path, place) => ({ contract, operationId: nameAt(place), path, params, response }));
  }
  const rest = Object.entries<z.ZodType>(params.shape).filter(([name]) => name !== expand.param);
  const options = z.array(z.string()).parse(listEnumValues(params.shape[expand.param]));
  return options.map((value) => ({
    contract,
    operationId: `${operationId}_${value}`,
    path: contract.path.replace(`{${expand.param}}`, value),
    params: z.object(Object.fromEntries(rest)),
    response: expand.response(value),
  }));
}

/** Creates the OpenAPI 3.1 document of all routes and events from the contracts and the event catalogue. */
export function createOpenApiDocument(): OpenApiObject {
  const components = new Components();
  const paths: Record<string, OpenApiObject> = {};
  for (const one of endpoints.filter(({ method }) => method !== "ANY").flatMap(expandRoutes)) {
    paths[one.path] = { ...paths[one.path], [one.contract.method.toLowerCase()]: toOperation(one, components) };
  }
  components.toReference(errorSchema, "output");
  return {
    openapi: "3.1.0",
    info: { title: "Tributary", version: "0.1.0", description: "Health data and lab testing for your own account." },
    tags: [webhookTag],
    paths,
    webhooks: createWebhookOperations(components),
    components: { schemas: components.schemas, responses: webhookResponses, securitySchemes },
  };
}

const scopeNote = "The scope at a route is required of credentials that were created with scopes";

const securitySchemes = {
  team_key: { type: "apiKey", in: "header", name: teamKeyHeaders[0], description: scopeNote },
  access_token: { type: "http", scheme: "bearer", description: scopeNote },
  lab_key: { type: "apiKey", in: "header", name: labKeyHeader },
  management_key: { type: "apiKey", in: "header", name: managementKeyHeaders[0] },
  portal_session: { type: "apiKey", in: "header", name: portalSessionHeader },
  review_link: { type: "apiKey", in: "header", name: reviewLinkHeader },
  link_token: { type: "apiKey", in: "header", name: linkTokenHeaders[0] },
  session: { type: "http", scheme: "bearer" },
};

function toOperation(
  { contract, operationId, path, params, response }: DocumentedRoute,
  components: Components,
): OpenApiObject {
  const isEmpty = contract.status === 204;
  const answer = isEmpty
    ? { description: "Done" }
    : { description: "Success", ...toResponseContent(response, components) };
  const statuses = new Set(contract.errors.map(({ status }) => status));
  if (contract.auth !== "none") statuses.add(401);
  if (contract.auth === "team") statuses.add(403);
  if (contract.auth === "team" || contract.auth === "lab") statuses.add(429);
  statuses.add(422);
  const refused = { description: "Refused", ...toJsonContent({ $ref: "#/components/schemas/Error" }) };
  return {
    operationId,
    tags: [contract.tag],
    summary: contract.summary,
    ...(contract.deprecated ? { deprecated: true } : {}),
    security: toSecurity(contract),
    parameters: [
      ...toParameters("path", pickPathParams(params, path), components),
      ...toParameters("query", contract.query, components),
    ],
    ...toRequestBody(contract, components),
    responses: { [contract.status]: answer, ...Object.fromEntries([...statuses].map((status) => [status, refused])) },
  };
}

/** The accepted credentials of an operation, with the required scope. */
function toSecurity(contract: EndpointContract): readonly OpenApiObject[] {
  const scope = requiredKeyScope(contract);
  if (scope === undefined) return security[contract.auth];
  return security[contract.auth].map((credential) =>
    Object.fromEntries(Object.keys(credential).map((scheme) => [scheme, [scope]])),
  );
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
