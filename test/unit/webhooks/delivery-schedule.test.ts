import { describe, expect, test } from "vitest";
import {
  ATTEMPT_TIMEOUT_MS,
  attemptError,
  attemptMessage,
  cancelReason,
  type Delivery,
  delivery,
  deliveryReference,
  QUARANTINE_MS,
  retryDelayMs,
  toAttemptMessage,
} from "../../../lib/events/webhooks/delivery.ts";
import {
  advanceFailureClock,
  endpointHealth,
  FAILURES_TO_SUSPEND,
  hasRecordedFailures,
  PROBE_INTERVAL_MS,
  shouldDisable,
  shouldSuspend,
} from "../../../lib/events/webhooks/endpoint-health.ts";

const NOW = "2026-05-01T08:00:00.000Z";
const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

describe("the schedule of attempts", () => {
  const after = (failures: number, random = 0.5) => retryDelayMs(Array(failures).fill({ probe: false }), random);

  test("waits 5 s, 5 min, 30 min, 2 h, 5 h, 10 h and 10 h after failures, and then ends", () => {
    const delays = [5 * SECOND, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 10 * HOUR, undefined];
    expect([1, 2, 3, 4, 5, 6, 7, 8].map((failures) => after(failures))).toEqual(delays);
    expect(after(0)).toBeUndefined();
  });

  test("jitters delays of at least half an hour by up to a tenth either way", () => {
    expect([1, 2, 3, 4].map((failures) => after(failures, 0))).toEqual([
      5 * SECOND,
      5 * MINUTE,
      27 * MINUTE,
      108 * MINUTE,
    ]);
    expect([after(3, 1), after(4, 1)]).toEqual([33 * MINUTE, 132 * MINUTE]);
    expect(after(3, 1 / 3)).toBe(1_740_000);
  });

  test("does not count probes", () => {
    expect(retryDelayMs([{ probe: true }, { probe: false }, { probe: true }], 0.5)).toBe(5 * SECOND);
    expect(retryDelayMs([{ probe: true }], 0.5)).toBeUndefined();
  });

  test("allows 15 seconds for an attempt, plus a minute for an unknown outcome", () => {
    expect([ATTEMPT_TIMEOUT_MS, QUARANTINE_MS, PROBE_INTERVAL_MS]).toEqual([15 * SECOND, MINUTE, MINUTE]);
  });
});

describe("a stored delivery", () => {
  const reference = { team_id: "t", user_id: "u", endpoint_id: "e", event_id: "evt" };
  const event = { event_id: "evt", team_id: "t", user_id: "u", type: "x", key: "k", version: 1 };
  const kept: Delivery = { ...reference, event, state: "pending", attempts: [], next_attempt_at: NOW, planned_at: NOW };

  test("has a known state, cancel reason and attempt error", () => {
    for (const state of ["pending", "parked", "delivered", "exhausted", "cancelled"])
      expect(delivery.parse({ ...kept, state })).toEqual({ ...kept, state });
    for (const reason of [
      "manual",
      "gone",
      "failing",
      "endpoint_deleted",
      "user_deleted",
      "team_deleted",
      "nothing_to_send",
      "filtered",
    ])
      expect(cancelReason.parse(reason)).toBe(reason);
    for (const error of ["refused", "unreachable", "timeout", "broken"]) expect(attemptError.parse(error)).toBe(error);
    for (const wrong of [
      { ...kept, state: "" },
      { ...kept, reason: "" },
      { ...kept, attempts: [{}] },
      { ...kept, event: {} },
    ])
      expect(delivery.safeParse(wrong).success).toBe(false);
  });

  test("has attempts with defaults for absent fields", () => {
    const attempt = { at: NOW, status: 500, duration_ms: 1.5 };
    const full = { ...attempt, response: "", error: null, probe: false };
    expect(delivery.parse({ ...kept, attempts: [attempt] }).attempts).toEqual([full]);
    expect(delivery.parse({ ...kept, reason: "gone", resent_at: NOW })).toMatchObject({
      reason: "gone",
      resent_at: NOW,
    });
    expect(delivery.safeParse({ ...kept, attempts: [{ ...attempt, status: 0.5 }] }).success).toBe(false);
  });

  test("is identified by team, user, endpoint and event", () => {
    expect(deliveryReference.parse(kept)).toEqual(reference);
    expect(deliveryReference.safeParse({}).success).toBe(false);
  });

  test("is attempted through a message with its ordering key", () => {
    const message = { ...reference, order_key: "k", probe: false };
    expect(toAttemptMessage(kept)).toEqual(message);
    expect(toAttemptMessage({ ...kept, event: { ...event, order_key: "o" } }, true)).toEqual({
      ...message,
      order_key: "o",
      probe: true,
    });
    const { probe: _, ...unmarked } = message;
    expect(attemptMessage.parse(unmarked)).toEqual(message);
    expect(attemptMessage.safeParse(reference).success).toBe(false);
  });
});

describe("the health of an endpoint", () => {
  const name = { team_id: "t", endpoint_id: "e" };

  test("parses as stored", () => {
    const instants = { first_failed_at: NOW, failing_since: NOW, parked_at: NOW, hold_until: NOW };
    const health = { ...name, failed: new Set(["evt"]), ...instants };
    expect(endpointHealth.parse(health)).toEqual(health);
    expect(endpointHealth.parse(name)).toEqual(name);
    expect(endpointHealth.safeParse({}).success).toBe(false);
  });

  test("changes on a success only after failures or while suspended", () => {
    expect(hasRecordedFailures({ ...name, hold_until: NOW, failing_since: NOW })).toBe(false);
    for (const trouble of [{ failed: new Set(["evt"]) }, { first_failed_at: NOW }, { parked_at: NOW }])
      expect(hasRecordedFailures({ ...name, ...trouble })).toBe(true);
  });

  test("requires suspension after 20 failures, and none without failures", () => {
    expect([FAILURES_TO_SUSPEND, shouldSuspend(name)]).toEqual([20, false]);
  });

  test("has a failure clock that keeps its start, and restarts when one of its instants is missing", () => {
    const later = Date.parse(NOW) + 100 * HOUR;
    const started = { first_failed_at: NOW, failing_since: NOW };
    expect(advanceFailureClock(started, later)).toEqual(started);
    const anew = { first_failed_at: new Date(later).toISOString() };
    expect(advanceFailureClock({ failing_since: NOW }, later)).toEqual(anew);
    expect(advanceFailureClock({ first_failed_at: NOW }, later)).toEqual(anew);
    expect(advanceFailureClock({ first_failed_at: NOW }, Date.parse(NOW) + 12 * HOUR - 1)).toEqual({
      first_failed_at: NOW,
    });
    expect(shouldDisable({ first_failed_at: NOW }, later * 2)).toBe(false);
  });
});
