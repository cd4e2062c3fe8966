import * as z from "zod";

/**
 * Form of the requests to an endpoint: the body alone, or a CloudEvent whose data is that body, in the structured or
 * the binary mode. https://github.com/cloudevents/spec/blob/v1.0.2/cloudevents/bindings/http-protocol-binding.md
 */
export const webhookFormat = z
  .enum(["json", "cloudevents_structured", "cloudevents_binary"])
  .describe("Form of the requests: the body alone, or a CloudEvent 1.0 in the structured or the binary mode");
export type WebhookFormat = z.output<typeof webhookFormat>;

/** The event that a webhook carries. */
export interface CarriedEvent {
  readonly event_id: string;
  readonly event_type: string;
  readonly team_id: string;
  /** Empty for an event of the team alone. */
  readonly user_id: string;
}

/** The content of a request. */
export interface FormattedBody {
  readonly body: string;
  readonly contentType: string;
  /** Further headers, which name the attributes of a CloudEvent in the binary mode. */
  readonly attributes: Readonly<Record<string, string>>;
}

/** Returns the content of a request in the form of its endpoint. @param body the body of the event, JSON text. */
export function formatBody(format: WebhookFormat, event: CarriedEvent, body: string): FormattedBody {
  if (format === "json") return { body, contentType: "application/json", attributes: {} };
  const attributes = toAttributes(event);
  if (format === "cloudevents_binary") {
    const headers = Object.entries(attributes).map(([name, value]) => [`ce-${name}`, value]);
    return { body, contentType: "application/json", attributes: Object.fromEntries(headers) };
  }
  const start = JSON.stringify({ ...attributes, datacontenttype: "application/json" }).slice(0, -1);
  // The text of the body as it is: parsing it would cost time and could change numbers.
  return { body: `${start},"data":${body}}`, contentType: "application/cloudevents+json", attributes: {} };
}

function toAttributes({ event_id, event_type, team_id, user_id }: CarriedEvent): Record<string, string> {
  return {
    specversion: "1.0",
    id: event_id,
    source: `urn:uuid:${team_id}`,
    type: event_type,
    ...(user_id === "" ? {} : { subject: user_id }),
  };
}
