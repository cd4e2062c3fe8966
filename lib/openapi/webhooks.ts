import { type CatalogueEntry, catalogue } from "../events/catalogue/catalogue.ts";
import type { OpenApiObject } from "./component-schema.ts";
import { type Components, toJsonContent } from "./components.ts";
import { toEventBody, toEventId } from "./event-body.ts";

/** The tag of all webhooks. */
export const webhookTag = {
  name: "events",
  description:
    "The feed of all events of a team, in the order of their sequence, and the webhooks that carry them. Each webhook is signed according to Standard Webhooks, with the headers webhook-id, webhook-timestamp and webhook-signature.",
};

/** The expected response of a receiver, shared by all webhooks. */
export const webhookResponses = {
  Received: { description: "Any 2xx status within 15 seconds. After any other response the event is sent again" },
};

/** The section `webhooks` of the document, with one entry per event type of the catalogue. */
export function createWebhookOperations(components: Components): OpenApiObject {
  return Object.fromEntries(catalogue.map((entry) => [entry.type, { post: toWebhookOperation(entry, components) }]));
}

function toWebhookOperation(entry: CatalogueEntry, components: Components): OpenApiObject {
  const { type, summary } = entry;
  return {
    operationId: toEventId(type),
    tags: [webhookTag.name],
    summary,
    security: [],
    description: `Its \`event_type\` is \`${type}\`.`,
    requestBody: toJsonContent(toEventBody(entry, components)),
    responses: { "2XX": { $ref: "#/components/responses/Received" } },
  };
}
