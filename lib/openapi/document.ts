import * as z from "zod";
import { endpoints } from "../../functions/index.ts";
import { errorTable } from "../contract/error-table.ts";
import { openEnum } from "../contract/open-enum.ts";
import type { OpenApiObject } from "./component-schema.ts";
import { Components } from "./components.ts";
import { introduction } from "./introduction.ts";
import { toOperation } from "./operation.ts";
import { expandRoutes } from "./routes.ts";
import { securitySchemes } from "./security.ts";
import { tagGroups, tags } from "./tags.ts";
import { createWebhookOperations, webhookResponses } from "./webhooks.ts";

const errorSchema = z
  .object({
    detail: z.union([
      z.string(),
      z.array(z.object({ loc: z.array(z.union([z.string(), z.number()])), msg: z.string(), type: z.string() })),
      z.record(z.string(), z.unknown()),
    ]),
    code: openEnum(Object.keys(errorTable)).describe("Stable code of the error"),
    request_id: z.string().describe("Id of the request, as in the header x-request-id. Quote it in a report"),
  })
  .meta({ id: "Error", description: "The body of every error" });

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
    info: {
      title: "Tributary",
      version: "0.1.0",
      description: introduction,
      license: { name: "Apache License 2.0", identifier: "Apache-2.0" },
    },
    servers: [{ url: "/", description: "The deployment that serves this document" }],
    tags,
    "x-tagGroups": tagGroups,
    paths,
    webhooks: createWebhookOperations(components),
    components: { schemas: components.schemas, responses: webhookResponses, securitySchemes },
  };
}
