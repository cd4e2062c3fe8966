import { type CatalogueEntry, catalogue } from "../events/catalogue.ts";
import { teamEventBody, userEventBody } from "../events/envelope.ts";
import { payloadOf } from "../events/payloads.ts";
import { type Components, type Json, json } from "./components.ts";

/** The tag of all webhooks. */
export const webhookTag = {
  name: "events",
  description:
    "Each request is signed according to Standard Webhooks, with the headers webhook-id, webhook-timestamp and webhook-signature.",
};

/** The expected response of a receiver, shared by all webhooks. */
export const webhookResponses = {
  Received: { description: "Any 2xx status within 15 seconds. After any other response the event is sent again" },
};

/** The section `webhooks` of the document, with one entry per event type of the catalogue. */
export function webhooks(components: Components): Json {
  return Object.fromEntries(catalogue.map((entry) => [entry.type, { post: operation(entry, components) }]));
}

function operation({ type, summary, isOfUser }: CatalogueEntry, components: Components): Json {
  const data = components.refer(payloadOf(type), "output");
  const body = {
    ...components.refer(isOfUser ? userEventBody : teamEventBody, "output"),
    properties: { event_type: { const: type }, data },
  };
  return {
    tags: [webhookTag.name],
    summary,
    requestBody: json(body),
    responses: { "2XX": { $ref: "#/components/responses/Received" } },
  };
}
