import { describe, expect, test } from "vitest";
import { dexcom } from "../../../lib/connectors/dexcom/dexcom.ts";
import { garmin } from "../../../lib/connectors/garmin/garmin.ts";
import { oura } from "../../../lib/connectors/oura/oura.ts";
import { connectionThrottleOf, throttleWindowStart } from "../../../lib/domain/connections/connection-throttle.ts";
import {
  addRefresh,
  applyPollRun,
  claimPoll,
  isPollAwaited,
  newConnectionPoll,
  requestPoll,
} from "../../../lib/domain/connections/pulls/connection-poll.ts";
import { newHistoricalPull } from "../../../lib/domain/connections/pulls/historical-pull.ts";
import { isPastBounds, pullBounds } from "../../../lib/domain/connections/pulls/pull-bounds.ts";
import { pollIntervalMs } from "../../../lib/services/connections/pulls/poll-interval.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const NOW = "2026-05-10T12:00:00.000Z";
const nowMs = Date.parse(NOW);
const name = { team_id: "team", user_id: "user", provider: "oura" };
const poll = newConnectionPoll(name, NOW, NOW);
const whole = { attempts: {}, pulledUntil: NOW, isWhole: true };

describe("a connection poll", () => {
  test("is due after the usual interval when it is complete, and never for a provider without polling", () => {
    expect(applyPollRun(poll, whole, nowMs, HOUR_MS).due_at).toBe("2026-05-10T13:00:00.000Z");
    expect(applyPollRun(poll, whole, nowMs, undefined).due_at).toBeUndefined();
  });

  test("resumes from its position after a failure, with growing delays and not before the provider's retry time", () => {
    const failed = { ...whole, pulledUntil: "2026-05-11T00:00:00.000Z", isWhole: false };
    const first = applyPollRun(poll, failed, nowMs, HOUR_MS);
    expect(first).toMatchObject({ pulled_until: NOW, status: "failure", due_at: "2026-05-10T12:05:00.000Z" });
    expect(applyPollRun(first, failed, nowMs, HOUR_MS).due_at).toBe("2026-05-10T12:10:00.000Z");
    const limited = { ...failed, retryAtMs: nowMs + 3 * HOUR_MS };
    expect(applyPollRun(first, limited, nowMs, HOUR_MS).due_at).toBe("2026-05-10T15:00:00.000Z");
  });

  test("ignores a second request while it runs, and is awaited until its end", () => {
    const wanted = requestPoll({ ...poll, due_at: "2026-05-11T00:00:00.000Z" }, NOW);
    expect(wanted.due_at).toBe(NOW);
    const running = claimPoll(wanted, "2026-05-10T12:10:00.000Z");
    expect(requestPoll(running, NOW)).toEqual(running);
    expect(isPollAwaited(running, NOW)).toBe(true);
    expect(isPollAwaited(applyPollRun(running, whole, nowMs, HOUR_MS), NOW)).toBe(false);
  });
});

test("providers are polled hourly, daily with pushes, and never for push-only providers and demo connections", () => {
  expect([dexcom, oura, garmin].map((connector) => pollIntervalMs(connector))).toEqual([HOUR_MS, DAY_MS, undefined]);
  expect([dexcom, oura].map((connector) => pollIntervalMs(connector, true))).toEqual([undefined, undefined]);
});

test("an hour has at most eight refreshes", () => {
  let made: number[] = [];
  const given: number[] = [];
  for (let ms = nowMs; ms < nowMs + 5 * HOUR_MS; ms += 60_000) {
    const next = addRefresh(made, ms);
    if (!Array.isArray(next)) {
      expect(next.atMs).toBeGreaterThan(ms);
      continue;
    }
    made = next;
    given.push(ms);
  }
  expect(given).toHaveLength(40);
  for (const at of given) expect(given.filter((ms) => ms > at - HOUR_MS && ms <= at).length).toBeLessThanOrEqual(8);
});

describe("the pulled range", () => {
  const bounded = { ingestion_start: "2026-05-05", ingestion_end: "2026-05-08" };

  test("lies within the user's bounds plus a day on either side", () => {
    const bounds = pullBounds(bounded);
    const resource = { ...name, resource: "sleep" };
    expect(newHistoricalPull(resource, { connectedOn: NOW, now: NOW, days: 30, bounds })).toMatchObject({
      range_start: "2026-05-04T00:00:00.000Z",
      range_end: "2026-05-10T00:00:00.000Z",
    });
    expect(newHistoricalPull(resource, { connectedOn: NOW, now: NOW, days: 0, bounds })).toBeUndefined();
    expect(pullBounds({})).toEqual({ fromMs: Number.NEGATIVE_INFINITY, untilMs: Number.POSITIVE_INFINITY });
  });

  test("ends seven days after the last day within the bounds", () => {
    const endMs = Date.parse("2026-05-09T00:00:00Z");
    expect(isPastBounds(bounded, endMs + 7 * DAY_MS - 1)).toBe(false);
    expect(isPastBounds(bounded, endMs + 7 * DAY_MS)).toBe(true);
    expect(isPastBounds({}, Number.MAX_SAFE_INTEGER)).toBe(false);
  });
});

test.each([
  ["garmin", 2, 60_000],
  ["strava", 1, 900_000],
  ["oura", 150, 300_000],
  ["polar", 8, 60_000],
])("%s allows %i connections per %i milliseconds", (provider, most, windowMs) => {
  expect(connectionThrottleOf(provider)).toEqual({ most, windowMs });
  expect(throttleWindowStart(connectionThrottleOf(provider), nowMs + windowMs - 1)).toBe(nowMs);
});
