import { type CatalogueEntry, catalogue } from "../events/catalogue/catalogue.ts";
import { eventFamilies } from "../events/catalogue/event-families.ts";
import { API_VERSION, LICENSE } from "./api-version.ts";
import type { OpenApiObject } from "./component-schema.ts";
import { Components } from "./components.ts";
import { toEventBody, toEventId } from "./event-body.ts";
import { webhookResponses, webhookTag } from "./webhooks.ts";

/** The headers of every webhook, of the specification Standard Webhooks. */
const webhookHeaders = {
  type: "object",
  required: ["webhook-id", "webhook-timestamp", "webhook-signature", "webhook-version"],
  properties: {
    "webhook-id": { type: "string", description: "Id of the event. The same event has the same id in each attempt" },
    "webhook-timestamp": { type: "string", description: "Start of the attempt, seconds since 1970" },
    "webhook-signature": {
      type: "string",
      description: "Signatures v1,<base64> of id, timestamp and body, separated by spaces",
    },
    "webhook-version": {
      type: "string",
      description: "A number that increases with every attempt of events that may overwrite each other",
    },
    traceparent: { type: "string", description: "Trace of the request that caused the event (W3C Trace Context)" },
  },
};

const description = `${webhookTag.description} An endpoint receives the events that its filter selects, each at least once.
Expected response: ${webhookResponses.Received.description}.
Ignore unknown types and unknown fields, because the service may add both.`;

/**
 * Creates the AsyncAPI 3.1 document of all events from the event catalogue. Its schemas are those of the OpenAPI
 * document. https://www.asyncapi.com/docs/reference/specification/v3.1.0
 */
export function createAsyncApiDocument(): OpenApiObject {
  const components = new Components();
  const messages = Object.fromEntries(catalogue.map((entry) => [toEventId(entry.type), toMessage(entry, components)]));
  const named = Object.keys(messages);
  return {
    asyncapi: "3.1.0",
    info: { title: "Tributary events", version: API_VERSION, description, license: LICENSE },
    defaultContentType: "application/json",
    channels: {
      webhook: {
        address: null,
        title: "Webhook endpoint of a team",
        messages: Object.fromEntries(named.map((id) => [id, { $ref: `#/components/messages/${id}` }])),
      },
    },
    operations: Object.fromEntries(eventFamilies.map((family) => [`send_${family.name}`, toOperation(family)])),
    components: { messages, schemas: { ...components.schemas, WebhookHeaders: webhookHeaders } },
  };
}

function toMessage(entry: CatalogueEntry, components: Components): OpenApiObject {
  const { type, summary, family } = entry;
  return {
    name: type,
    title: type,
    summary,
    contentType: "application/json",
    tags: [{ name: family }],
    headers: { $ref: "#/components/schemas/WebhookHeaders" },
    payload: toEventBody(entry, components),
  };
}

/** The operation that sends the events of a family to an endpoint. */
function toOperation({ name, prefix }: (typeof eventFamilies)[number]): OpenApiObject {
  const types = catalogue.filter(({ family }) => family === name).map(({ type }) => type);
  return {
    action: "send",
    channel: { $ref: "#/channels/webhook" },
    summary: `Send events whose type begins with ${prefix}`,
    bindings: { http: { method: "POST", bindingVersion: "0.3.0" } },
    messages: types.map((type) => ({ $ref: `#/channels/webhook/messages/${toEventId(type)}` })),
  };
}
