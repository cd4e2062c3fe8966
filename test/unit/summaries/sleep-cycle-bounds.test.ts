import { expect, test } from "vitest";
import { formatAtOffset } from "../../../lib/connectors/format-utc.ts";
import { toSleepCycle } from "../../../lib/connectors/sleep-stages.ts";
import { ingestionBounds } from "../../../lib/domain/ingest/ingestion-bounds.ts";
import { sleep } from "../../../lib/domain/summaries/sleep.ts";
import { sleepCycle } from "../../../lib/domain/summaries/sleep-cycle.ts";

const startMs = Date.parse("2026-11-19T22:00:00Z");
const endMs = Date.parse("2026-11-20T06:00:00Z");
const stages = [{ code: 2, startMs, endMs }] as const;

test.each([0, -28_800, 32_400])("a night and its stages lie within the same bounds: offset %i", (offsetS) => {
  const bounds = ingestionBounds("2026-11-20", null, "Asia/Tokyo");
  const context = { receivedAt: Date.parse("2026-11-28T00:00:00Z"), bounds };
  const times = { bedtime_start: "2026-11-19T22:00:00Z", bedtime_stop: "2026-11-20T06:00:00Z" };
  const night = sleep.accept({ ...times, timezone_offset: offsetS }, context);
  const cycle = sleepCycle.accept(toSleepCycle(startMs, endMs, stages, offsetS)[0], context);
  expect(["ok" in night, "ok" in cycle]).toEqual(offsetS > 0 ? [true, true] : [false, false]);
});

test.each([
  [19_800, "2026-11-20T03:30:00.000+05:30"],
  [-12_600, "2026-11-19T18:30:00.000-03:30"],
  [null, "2026-11-19T22:00:00.000Z"],
  [30, "2026-11-19T22:00:00.000Z"],
])("an instant at the offset %s", (offsetS, text) => {
  expect(formatAtOffset(startMs, offsetS)).toBe(text);
});
