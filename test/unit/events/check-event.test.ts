import { describe, expect, test } from "vitest";
import { toWireSource } from "../../../lib/domain/connections/sources/source.ts";
import { getResource, timeseriesResources } from "../../../lib/domain/timeseries/resources.ts";
import { newUser } from "../../../lib/domain/users/user.ts";
import { checkEvent } from "../../../lib/events/catalogue/check-event.ts";
import { connectionEvent } from "../../../lib/events/constructors/connection-events.ts";
import {
  exhaustedEvent,
  historicalEvent,
  timeseriesEvents,
  workoutStreamEvent,
} from "../../../lib/events/constructors/data-events.ts";

const ids = { userId: "6a1f6f3e-1df0-4bd4-8f0e-0d5c6d0d3c11", teamId: "0d5c6d0d-3c11-4bd4-8f0e-6a1f6f3e1df0" };
const user = newUser({ client_user_id: "ada-1" }, ids, "2026-01-02T00:00:00.000Z");
const source = toWireSource({ provider: "oura", type: "ring" }, "https://api.example.com");
const context = { user, source, receiptId: "receipt-1" };
const range = { start_date: "2026-01-01T00:00:00.000Z", end_date: "2026-01-31T00:00:00.000Z" };

const sample = { start: 0, end: 60_000, value: 7, offsetS: null, type: null };
const { body: steps } = timeseriesEvents(context, getResource("steps"), "created", [{ position: 0, sample }])[0]!;
const { body: connection } = connectionEvent(user, source, { created_on: "2026-01-02T00:00:00.000Z" });

const run = {
  workout_id: "0d5c6d0d-3c11-4bd4-8f0e-6a1f6f3e1df1",
  provider_id: "run-1",
  sport: { id: 1, name: "Running", slug: "running" },
};

describe("checkEvent accepts an event", () => {
  test("that matches the catalogue", () => {
    const exhausted = exhaustedEvent(steps, { messageId: "evt_1", endpointId: "e1", lastStatus: 0 });
    for (const { body } of [historicalEvent(context, "pull", "steps", range), exhausted]) checkEvent(body);
    checkEvent(steps);
    checkEvent(connection);
  });

  test("of a workout stream, which the event does not contain", () => {
    const { body } = workoutStreamEvent(context, "created", run, 1);
    checkEvent(body);
    expect(body.data).toEqual({ user_id: ids.userId, source, ...run, message: expect.any(String) });
  });

  test.each(timeseriesResources)("composed of samples of $name", (resource) => {
    const { type, value } = resource;
    const typeName = type.required ? (type.values?.[0] ?? "lead_1") : null;
    const fields = Object.fromEntries(resource.fields.map((rule) => [rule.name, rule.kind === "number" ? 90 : null]));
    const one = { ...sample, value: value === "string" ? "text" : value === "none" ? null : 1, type: typeName, fields };
    for (const { body } of timeseriesEvents(context, resource, "updated", [{ position: 0, sample: one }])) {
      checkEvent(body);
    }
  });
});

describe("checkEvent rejects an event", () => {
  const stepsWith = (change: object) => ({ ...steps, data: { ...steps.data, ...change } });

  test("with a type outside the catalogue", () => {
    expect(() => checkEvent({ ...steps, event_type: "daily.data.step.created" })).toThrow("not in the catalogue");
  });

  test("with a missing, extra or mistyped field", () => {
    const { source_id: _, ...without } = { source_id: 0, ...steps.data };
    expect(() => checkEvent({ ...steps, data: without })).toThrow("source_id");
    expect(() => checkEvent(stepsWith({ count: 1 }))).toThrow("has others");
    expect(() => checkEvent(stepsWith({ source_id: "1" }))).toThrow("source_id");
    expect(() => checkEvent({ ...steps, data: [steps.data] })).toThrow("data");
  });

  test("with a sample field that its resource does not have", () => {
    const [first] = (steps.data as { data: object[] }).data;
    expect(() => checkEvent(stepsWith({ data: [{ ...first, systolic: 120 }] }))).toThrow("has others");
    expect(() => checkEvent(stepsWith({ data: [first, { ...first, value: null }] }))).toThrow("value");
  });

  test("with an undefined optional field, because the JSON text omits the field", () => {
    expect(() => checkEvent(stepsWith({ source: undefined }))).toThrow("source");
  });

  test("without a user", () => {
    expect(() => checkEvent({ ...connection, client_user_id: undefined as never })).toThrow("client_user_id");
  });
});
