import { describe, expect, test } from "vitest";
import { parseSampleReferences } from "../../../lib/events/constructors/sample-references.ts";
import {
  type Attempt,
  appendAttempt,
  currentScheduleAttempts,
  type Delivery,
  isDue,
} from "../../../lib/events/webhooks/delivery.ts";
import {
  advanceFailureClock,
  type EndpointHealth,
  type FailureClock,
  failureKind,
  shouldDisable,
  shouldSuspend,
} from "../../../lib/events/webhooks/endpoint-health.ts";
import { parseRetryAfter } from "../../../lib/events/webhooks/retry-after.ts";
import { isCustomHeader, webhookHeaders } from "../../../lib/events/webhooks/webhook-headers.ts";

const NOW = Date.UTC(2026, 4, 1, 8);
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

describe("the Retry-After header", () => {
  test.each([
    ["seconds", "120", NOW + 120_000],
    ["an HTTP date", "Fri, 01 May 2026 09:00:00 GMT", NOW + HOUR],
    ["an obsolete date format", "Friday, 01-May-26 09:00:00 GMT", NOW + HOUR],
    ["the format of asctime", "Fri May  1 09:00:00 2026", NOW + HOUR],
    ["more than a day", "999999999999", NOW + DAY],
    ["a date years ahead", "Tue, 01 May 2029 09:00:00 GMT", NOW + DAY],
  ])("delays deliveries by %s, for a day at most", (_, text, until) => {
    expect([parseRetryAfter(429, text, NOW), parseRetryAfter(503, text, NOW)]).toEqual([until, until]);
  });

  test.each([
    "0",
    "-5",
    "1.5",
    "",
    "soon",
    "2026-05-01T09:00:00Z",
    "Fri, 99 Foo 2026 09:00:00 GMT",
    "Thu, 30 Apr 2026 08:00:00 GMT",
    "Fri May 99 09:00:00 2026",
    "May  1 09:00:00 2026",
  ])("is ignored with the value %j", (text) => expect(parseRetryAfter(503, text, NOW)).toBeUndefined());

  test("is ignored with other status codes or when absent", () => {
    expect([200, 301, 400, 500, 502].map((status) => parseRetryAfter(status, "120", NOW))).toEqual(
      Array(5).fill(undefined),
    );
    expect(parseRetryAfter(429, undefined, NOW)).toBeUndefined();
  });
});

describe("the failure clock of an endpoint", () => {
  /** The failure clock after failures at these hours. */
  const clockAfter = (...hours: number[]) =>
    hours.reduce<FailureClock>((clock, hour) => advanceFailureClock(clock, NOW + hour * HOUR), {});

  test("does not start with failures less than 12 hours apart", () => {
    expect(clockAfter(0, 1, 11.9)).not.toHaveProperty("failing_since");
  });

  test("starts with a failure 12 to 24 hours after the first", () => {
    const expected = {
      first_failed_at: new Date(NOW).toISOString(),
      failing_since: new Date(NOW + 12 * HOUR).toISOString(),
    };
    expect(clockAfter(0, 12)).toEqual(expected);
    expect(clockAfter(0, 12, 30, 70)).toEqual(expected);
    expect(clockAfter(0, 24)).toHaveProperty("failing_since");
  });

  test("does not start with sporadic failures more than a day apart", () => {
    expect(clockAfter(0, 25, 50, 75)).toEqual({ first_failed_at: new Date(NOW + 75 * HOUR).toISOString() });
  });

  test("expires five days after its start, and never without a start", () => {
    const clock = clockAfter(0, 12);
    expect(shouldDisable(clock, NOW + 12 * HOUR + 5 * DAY - 1)).toBe(false);
    expect(shouldDisable(clock, NOW + 12 * HOUR + 5 * DAY)).toBe(true);
    expect(shouldDisable(clockAfter(0), NOW + 100 * DAY)).toBe(false);
  });
});

describe("a failure", () => {
  test.each([0, 301, 408, 425, 429, 500, 502, 503, 599])("with status %i suggests an outage", (status) => {
    expect(failureKind(status, false)).toBe("outage");
  });

  test.each([400, 401, 403, 404, 405, 409, 413, 415, 422, 499])("with status %i refuses the message", (status) => {
    expect(failureKind(status, false)).toBe("refusal");
  });

  test("that requests a pause is neither", () => {
    expect([429, 503].map((status) => failureKind(status, true))).toEqual(["pause", "pause"]);
  });
});

test("an endpoint is suspended once 20 different deliveries failed", () => {
  const name = { team_id: "t", endpoint_id: "e" };
  const failed = (count: number) => new Set(Array.from({ length: count }, (_, index) => `evt_${index}`));
  const health = (about: Partial<EndpointHealth>): EndpointHealth => ({ ...name, ...about });
  expect([health({}), health({ failed: failed(19) }), health({ failed: failed(20) })].map(shouldSuspend)).toEqual([
    false,
    false,
    true,
  ]);
  expect(shouldSuspend(health({ failed: failed(20), parked_at: "2026-05-01T08:00:00.000Z" }))).toBe(false);
});

describe("a delivery", () => {
  const attempt = (at: string, probe: boolean): Attempt => ({
    at,
    status: 500,
    duration_ms: 1,
    response: "",
    error: null,
    probe,
  });

  test("keeps all attempts of its schedule and the last probes", () => {
    const [first, second, probe, later] = [
      attempt("1", false),
      attempt("2", false),
      attempt("3", true),
      attempt("4", true),
    ] as const;
    expect(appendAttempt([first], second)).toEqual([first, second]);
    expect(appendAttempt([first, probe], later)).toEqual([first, later]);
    expect(appendAttempt([first, probe], second)).toEqual([first, probe, second]);
  });

  test("restarts its attempt count on a resend, and keeps the attempts of two schedules", () => {
    const many = Array.from({ length: 20 }, (_, index) => attempt(String(100 + index), false));
    const kept = many.reduce<Attempt[]>((attempts, one) => appendAttempt(attempts, one), []);
    expect(kept).toEqual(many.slice(2));
    expect(currentScheduleAttempts(kept, { resent_at: "117" })).toEqual(many.slice(17));
    expect(currentScheduleAttempts(kept, {})).toEqual(kept);
  });

  test("is due from its due time while pending, at any time while held, and never after its end", () => {
    const next_attempt_at = new Date(NOW).toISOString();
    const inState = (state: Delivery["state"], nowMs: number) => isDue({ state, next_attempt_at } as Delivery, nowMs);
    expect([inState("pending", NOW - 1), inState("pending", NOW)]).toEqual([false, true]);
    expect(inState("parked", NOW - 1)).toBe(true);
    expect((["delivered", "exhausted", "cancelled"] as const).map((state) => inState(state, NOW))).toEqual([
      false,
      false,
      false,
    ]);
  });
});

describe("custom headers of an endpoint", () => {
  test.each(["Authorization", "x-route", "X-Webhook", "user-agent", "accept"])("may be named %s", (name) => {
    expect(isCustomHeader(name)).toBe(true);
  });

  test.each([
    "Host",
    "CONTENT-LENGTH",
    "content-type",
    "Content-Encoding",
    "transfer-encoding",
    "connection",
    "upgrade",
    "expect",
    "proxy-authorization",
    "webhook-id",
    "Webhook-Signature",
    "svix-timestamp",
    "SVIX-VERSION",
  ])("can not replace %s", (name) => expect(isCustomHeader(name)).toBe(false));

  test.each([{ "x y": "a" }, { "x:y": "a" }, { "": "a" }, { x: "a\r\nb: c" }, { x: "é" }])(
    "can not be %j",
    (headers) => {
      expect(webhookHeaders.safeParse(headers).success).toBe(false);
    },
  );
});

describe("the sample references of an event", () => {
  const source = { provider: "oura", type: "ring" };
  const sample = (type: string | null) => ({ start: "2026-05-01T08:00:00.250+00:00", type, value: 1 });

  test("contain the start, and the type when one instant may have several samples", () => {
    const at = Date.UTC(2026, 4, 1, 8, 0, 0, 250);
    const typed = parseSampleReferences("daily.data.cholesterol.updated", { source, data: [sample("ldl")] });
    expect(typed).toMatchObject({ provider: "oura", sourceType: "ring", samples: [{ start: at, subtype: "ldl" }] });
    expect(typed?.resource.name).toBe("cholesterol");
    const untyped = parseSampleReferences("daily.data.glucose.created", { source, data: [sample("automatic")] });
    expect(untyped?.samples).toEqual([{ start: at, subtype: "" }]);
  });

  test("contain the device and the app, which events of earlier versions may lack", () => {
    const recorderOf = (ids: object) =>
      parseSampleReferences("daily.data.glucose.created", { source: { ...source, ...ids }, data: [sample(null)] })
        ?.recorder;
    expect(recorderOf({ device_id: "d", app_id: "a" })).toEqual({ deviceId: "d", appId: "a" });
    expect(recorderOf({ device_id: "d" })).toEqual({ deviceId: "d", appId: null });
    expect(recorderOf({})).toEqual({ deviceId: null, appId: null });
  });

  test.each([
    ["daily.data.activity.created", { source, id: "a" }],
    ["daily.data.workout_stream.created", { source, workout_id: "a" }],
    ["historical.data.steps.created", { is_final: true }],
    ["provider.connection.created", { source, data: [] }],
  ])("are absent in %s", (type, data) => expect(parseSampleReferences(type, data)).toBeUndefined());
});
