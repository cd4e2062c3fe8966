import { describe, expect, test } from "vitest";
import * as z from "zod";
import { toWireSource } from "../../../lib/domain/connections/sources/source.ts";
import { getResource } from "../../../lib/domain/timeseries/resources.ts";
import { newUser } from "../../../lib/domain/users/user.ts";
import { eventBody } from "../../../lib/events/catalogue/envelope.ts";
import { eventFamilies } from "../../../lib/events/catalogue/event-families.ts";
import { eventId } from "../../../lib/events/catalogue/event-id.ts";
import type { NewEvent } from "../../../lib/events/constructors/compose-event.ts";
import { connectionEvent } from "../../../lib/events/constructors/connection-events.ts";
import {
  historicalEvent,
  selectDataEvents,
  summaryEvent,
  timeseriesEvents,
} from "../../../lib/events/constructors/data-events.ts";
import { retryDelayMs } from "../../../lib/events/webhooks/delivery.ts";
import { isSubscribed, type WebhookEndpoint } from "../../../lib/events/webhooks/webhook-endpoint.ts";

const ids = { userId: "6a1f6f3e-1df0-4bd4-8f0e-0d5c6d0d3c11", teamId: "0d5c6d0d-3c11-4bd4-8f0e-6a1f6f3e1df0" };
const user = newUser({ client_user_id: "ada-1" }, ids, "2026-01-02T00:00:00.000Z");
const source = toWireSource({ provider: "oura", type: "ring" }, "https://api.example.com");
const about = { user, source, receiptId: "receipt-1" };
const about2 = { ...about, receiptId: "receipt-2" };
const top = { team_id: ids.teamId, user_id: ids.userId, client_user_id: "ada-1" };
const steps = getResource("steps");

const placedSample = (position: number) => ({
  position,
  sample: { start: position * 60_000, end: position * 60_000 + 60_000, value: position, offsetS: 0, type: null },
});
const placed = (count: number) => Array.from({ length: count }, (_, position) => placedSample(position));

const samplesOf = (event: NewEvent | undefined) =>
  z.object({ data: z.array(z.unknown()) }).parse(event?.body.data).data;

describe("sample events", () => {
  test("contain the samples, their source and the common fields", () => {
    const [event, ...others] = timeseriesEvents(about, steps, "created", placed(2));
    expect(others).toEqual([]);
    expect(eventBody.parse(event?.body)).toMatchObject({ ...top, event_type: "daily.data.steps.created" });
    expect(event?.body.data).toMatchObject({ user_id: ids.userId, source, source_id: expect.any(Number) });
    expect(samplesOf(event)).toMatchObject([
      { unit: "count", value: 0 },
      { unit: "count", value: 1 },
    ]);
  });

  test("are split by the position of samples in their batch, so that repeated events keep their ids", () => {
    const all = timeseriesEvents(about, steps, "created", placed(2_500));
    const some = timeseriesEvents(about, steps, "created", [placedSample(1_999)]);
    expect(all.map((one) => samplesOf(one).length)).toEqual([1_000, 1_000, 500]);
    expect(some.map(({ reference }) => reference.event_id)).toEqual([all[1]?.reference.event_id]);
  });

  test("have other ids for another batch and another verb", () => {
    const idsOf = (context: typeof about, verb: "created" | "updated") =>
      timeseriesEvents(context, steps, verb, placed(1)).map(({ reference }) => reference.event_id);
    const all = [...idsOf(about, "created"), ...idsOf(about2, "created"), ...idsOf(about, "updated")];
    expect(new Set(all).size).toBe(3);
    expect(idsOf(about, "created")).toEqual(idsOf(about, "created"));
  });

  test("use the event name of the resource", () => {
    const [event] = timeseriesEvents(about, getResource("body_weight"), "updated", placed(1));
    expect(event?.reference.type).toBe("daily.data.weight.updated");
  });
});

describe("a summary event", () => {
  const summary = { id: "0d5c6d0d-3c11-4bd4-8f0e-6a1f6f3e1df1", steps: 9_120 };

  test("has the summary as its data, with user and source", () => {
    const { body, reference } = summaryEvent(about, "activity", "created", summary, 1);
    expect(body).toEqual({
      ...top,
      event_type: "daily.data.activity.created",
      data: { user_id: ids.userId, ...summary, source },
    });
    expect(reference).toMatchObject({ key: summary.id, version: 1, type: body.event_type });
  });

  test("has one id per version of the summary, regardless of the batch", () => {
    const idOf = (context: typeof about, version: number) =>
      summaryEvent(context, "activity", "updated", summary, version).reference.event_id;
    expect(idOf(about, 2)).toBe(idOf(about2, 2));
    expect(idOf(about, 2)).not.toBe(idOf(about, 3));
  });
});

describe("other events", () => {
  test("of a historical pull contain its range without data, with one event per resource", () => {
    const range = { start_date: "2026-01-01T00:00:00.000Z", end_date: "2026-01-31T00:00:00.000Z" };
    const { body } = historicalEvent(about, "pull-1", "steps", range);
    expect(body.event_type).toBe("historical.data.steps.created");
    expect(body.data).toEqual({ user_id: ids.userId, ...range, is_final: true, provider: "oura" });
    const idOf = (context: typeof about, pull: string) =>
      historicalEvent(context, pull, "steps", range).reference.event_id;
    expect(idOf(about2, "pull-1")).toBe(idOf(about, "pull-1"));
    expect(idOf(about, "pull-2")).not.toBe(idOf(about, "pull-1"));
  });

  test.each([
    ["recent data", { stage: "daily", is_final: true }, false, [true, false]],
    ["recent data of a team with historical data events", { stage: "daily", is_final: true }, true, [true, false]],
    ["the last part of a history", { stage: "historical", is_final: true }, false, [false, true]],
    ["a part of a history before the last", { stage: "historical", is_final: false }, false, [false, false]],
    [
      "the last part, for a team with historical data events",
      { stage: "historical", is_final: true },
      true,
      [true, true],
    ],
    [
      "an earlier part, for a team with historical data events",
      { stage: "historical", is_final: false },
      true,
      [true, false],
    ],
  ] as const)(
    "%s is announced by record, as history, or not yet",
    (_, batch, pushes, [sendsDailyEvents, sendsHistoricalEvent]) => {
      expect(selectDataEvents(batch, pushes)).toEqual({ sendsDailyEvents, sendsHistoricalEvent });
    },
  );

  test("of a connection contain the provider", () => {
    const { body } = connectionEvent(user, source, { created_on: "2026-01-02T00:00:00.000Z" });
    expect(body).toMatchObject({
      ...top,
      event_type: "provider.connection.created",
      data: { source: { slug: "oura" } },
    });
  });

  test("all belong to a routed family", () => {
    const types = ["daily.data.steps.created", "historical.data.steps.created", "provider.connection.created"];
    const familyOf = (type: string) => eventFamilies.filter(({ prefix }) => type.startsWith(prefix));
    expect(types.map((type) => familyOf(type).length)).toEqual([1, 1, 1]);
  });
});

describe("the id of an event", () => {
  const one = { team_id: "t1", user_id: "u1", key: "k1", version: 1, type: "daily.data.steps.created" };

  test("is derived from the subject of the event", () => {
    expect(eventId(one)).toBe(eventId({ ...one }));
    expect(eventId(one)).toMatch(/^evt_[a-z2-7]{26}$/);
    const others = [
      { team_id: "t2" },
      { user_id: "u2" },
      { key: "k2" },
      { version: 2 },
      { type: "daily.data.steps.updated" },
    ];
    expect(new Set(others.map((other) => eventId({ ...one, ...other }))).add(eventId(one)).size).toBe(6);
  });
});

describe("retries of a webhook", () => {
  const MINUTE = 60_000;
  const HOUR = 60 * MINUTE;
  const failed = (count: number) => Array.from({ length: count }, () => ({ probe: false }));

  test("follow after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h and 10 h, then stop", () => {
    const delays = [1, 2, 3, 4, 5, 6, 7, 8].map((count) => retryDelayMs(failed(count), 0.5));
    const hours = [2, 5, 10, 10].map((count) => count * HOUR);
    expect(delays).toEqual([5_000, 5 * MINUTE, 30 * MINUTE, ...hours, undefined]);
  });

  test("have a jitter of at most a tenth from the third retry on", () => {
    expect([retryDelayMs(failed(1), 0), retryDelayMs(failed(2), 0.999)]).toEqual([5_000, 5 * MINUTE]);
    expect(retryDelayMs(failed(3), 0)).toBe(27 * MINUTE);
    expect(retryDelayMs(failed(3), 1)).toBe(33 * MINUTE);
  });
});

describe("an endpoint", () => {
  const endpoint: WebhookEndpoint = {
    endpoint_id: "e1",
    team_id: "t1",
    url: "https://example.com",
    description: "",
    filter_types: [],
    disabled: false,
    disabled_reason: null,
    sealed_secret: "",
    previous_secret: null,
    headers: null,
    rate_limit: null,
    format: "json",
    created_at: "",
    updated_at: "",
  };
  const type = "daily.data.steps.created";

  test("receives every event without a filter, the named events with a filter, and none when disabled", () => {
    expect(isSubscribed(endpoint, type)).toBe(true);
    expect(isSubscribed({ ...endpoint, filter_types: [type] }, type)).toBe(true);
    expect(isSubscribed({ ...endpoint, filter_types: [type] }, "daily.data.sleep.created")).toBe(false);
    expect(isSubscribed({ ...endpoint, disabled: true }, type)).toBe(false);
  });
});
