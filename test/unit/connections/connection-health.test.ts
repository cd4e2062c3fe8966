import { describe, expect, test } from "vitest";
import { endsStaleness } from "../../../lib/domain/connections/health/ends-staleness.ts";
import { arrivalRhythmMs, rhythms } from "../../../lib/domain/connections/health/rhythms.ts";
import type { Staleness } from "../../../lib/domain/connections/health/staleness.ts";
import { comparePushes, type UnpushedData } from "../../../lib/domain/connections/health/unpushed-data.ts";
import { supportedResources } from "../../../lib/domain/connections/providers/provider-resources.ts";
import { findProvider } from "../../../lib/domain/connections/providers/providers.ts";
import type { SampleBatch } from "../../../lib/domain/ingest/batch.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const START = Date.parse("2026-05-01T00:00:00Z");
const iso = (ms: number) => new Date(ms).toISOString();

test("rhythms are of providers and resources that exist, and leave a push at least as long as a day", () => {
  for (const [slug, { pushHours = {}, arrivalHours = 24 }] of Object.entries(rhythms)) {
    const provider = findProvider(slug);
    expect(provider, slug).toBeDefined();
    if (provider) expect(supportedResources(provider)).toEqual(expect.arrayContaining(Object.keys(pushHours)));
    for (const hours of [...Object.values(pushHours), arrivalHours]) expect(hours).toBeGreaterThanOrEqual(24);
  }
  expect(arrivalRhythmMs("omron_ble")).toBeUndefined();
});

const night = (day: number) => START + day * DAY_MS - HOUR_MS;
const stats = (pushed: number | undefined) => ({
  sleep: { oldest: iso(START), newest: iso(START), sent_count: 1, ...(pushed ? { pushed_newest: iso(pushed) } : {}) },
});
const found = (newest: number) => ({ sleep: { start_date: iso(START), end_date: iso(newest) } });

describe("a poll compares with pushes", () => {
  const none: UnpushedData = {};
  const atMs = START + 3 * DAY_MS;

  test("a resource that was never pushed is not judged", () => {
    expect(comparePushes("oura", none, found(night(3)), stats(undefined), atMs)).toEqual({
      unpushed: {},
      lost: [],
      againAtMs: undefined,
    });
  });

  test("data that pushes have delivered waits for nothing", () => {
    expect(comparePushes("oura", none, found(night(3)), stats(night(3)), atMs).unpushed).toEqual({});
  });

  test("newer data waits for its push, and is lost after its time, however much newer data follows", () => {
    const first = comparePushes("oura", none, found(night(3)), stats(night(2)), atMs);
    expect(first).toMatchObject({ unpushed: { sleep: { at: iso(atMs), newest: iso(night(3)) } }, lost: [] });
    expect(first.againAtMs).toBe(atMs + 36 * HOUR_MS);
    const second = comparePushes("oura", first.unpushed, found(night(4)), stats(night(2)), atMs + DAY_MS);
    expect(second).toEqual(first);
    const third = comparePushes("oura", second.unpushed, found(night(4)), stats(night(2)), atMs + 36 * HOUR_MS);
    expect(third).toEqual({ unpushed: {}, lost: ["sleep"], againAtMs: undefined });
  });

  test("a push that comes late ends the wait", () => {
    const first = comparePushes("oura", none, found(night(3)), stats(night(2)), atMs);
    const late = comparePushes("oura", first.unpushed, found(night(3)), stats(night(3)), atMs + 40 * HOUR_MS);
    expect(late).toEqual({ unpushed: {}, lost: [], againAtMs: undefined });
  });

  test("a lost push is not lost any more once a newer one came", () => {
    const first = comparePushes("oura", none, found(night(3)), stats(night(2)), atMs);
    expect(comparePushes("oura", first.unpushed, {}, stats(night(4)), atMs + 40 * HOUR_MS).lost).toEqual([]);
  });

  test("a provider without pushes is not judged", () => {
    expect(comparePushes("dexcom_v3", none, found(night(3)), stats(night(2)), atMs).unpushed).toEqual({});
  });
});

describe("a batch ends a staleness", () => {
  const since = iso(START);
  const silent: Staleness = { since, reason: "silent", resources: [], last_data_at: null };
  const lost: Staleness = { since, reason: "pushes_lost", resources: ["steps"], last_data_at: null };
  const batch = (pushed: boolean, resource = "steps"): SampleBatch => ({
    ...{ provider: "oura", source_type: "ring", device_id: null, app_id: null, stage: "daily", is_final: true },
    ...{ pushed, samples: { [resource]: [{ start: START } as never] }, summaries: {}, streams: {} },
  });

  test("of silence, if it arrived later", () => {
    expect(endsStaleness(silent, batch(false), START + 1)).toBe(true);
    expect(endsStaleness(silent, batch(false), START)).toBe(false);
  });

  test("of lost pushes, only by a push of such a resource", () => {
    expect(endsStaleness(lost, batch(true), START + 1)).toBe(true);
    expect(endsStaleness(lost, batch(false), START + 1)).toBe(false);
    expect(endsStaleness(lost, batch(true, "heartrate"), START + 1)).toBe(false);
  });
});
