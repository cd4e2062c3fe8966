import { HTTP } from "cloudevents";
import { describe, expect, test } from "vitest";
import { formatBody } from "../../../lib/events/webhooks/cloud-event.ts";

const event = { event_id: "evt_1", event_type: "daily.data.steps.created", team_id: "t-1", user_id: "u-1" };
/** A number with more digits than a double holds, and a character outside the BMP. */
const body = '{"event_type":"daily.data.steps.created","data":{"value":1.10,"note":"🏃"}}';

/** Reads a formatted request with the SDK of the CloudEvents project. */
function readWithSdk(format: "cloudevents_structured" | "cloudevents_binary", about = event) {
  const { body: text, contentType, attributes } = formatBody(format, about, body);
  return HTTP.toEvent({ headers: { "content-type": contentType, ...attributes }, body: text });
}

describe.each(["cloudevents_structured", "cloudevents_binary"] as const)("the format %s", (format) => {
  test("is a valid CloudEvent whose data is the body", () => {
    expect(readWithSdk(format)).toMatchObject({
      specversion: "1.0",
      id: "evt_1",
      source: "urn:uuid:t-1",
      type: "daily.data.steps.created",
      subject: "u-1",
      datacontenttype: "application/json",
      data: JSON.parse(body),
    });
  });

  test("has no subject for an event of the team alone", () => {
    expect(readWithSdk(format, { ...event, user_id: "" })).not.toHaveProperty("subject", expect.anything());
  });
});

test("a structured CloudEvent contains the text of the body unchanged", () => {
  expect(formatBody("cloudevents_structured", event, body).body).toContain(`"data":${body}}`);
});

test("the binary mode and the plain format send the body itself", () => {
  expect(formatBody("cloudevents_binary", event, body).body).toBe(body);
  expect(formatBody("json", event, body)).toEqual({ body, contentType: "application/json", attributes: {} });
});
