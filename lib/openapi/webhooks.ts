import { type CatalogueEntry, catalogue } from "../events/catalogue/catalogue.ts";
import { teamEventBody, userEventBody } from "../events/catalogue/envelope.ts";
import { payloadSchemaOf } from "../events/catalogue/event-payloads.ts";
import type { OpenApiObject } from "./component-schema.ts";
import { type Components, toJsonContent } from "./components.ts";

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

function toWebhookOperation({ type, summary, namesUser }: CatalogueEntry, components: Components): OpenApiObject {
  const data = components.toReference(payloadSchemaOf(type), "output");
  // Parts of `allOf`, because renderers ignore keywords beside a reference.
  const envelope = components.toReference(namesUser ? userEventBody : teamEventBody, "output");
  const body = { allOf: [envelope, { properties: { event_type: { const: type }, data } }] };
  return {
    operationId: type.replaceAll(/\W/g, "_"),
    tags: [webhookTag.name],
    summary,
    security: [],
    description: `Its \`event_type\` is \`${type}\`.`,
    requestBody: toJsonContent(body),
    responses: { "2XX": { $ref: "#/components/responses/Received" } },
  };
}
