import fc from "fast-check";
import { expect, test } from "vitest";
import { aggregationQuery } from "../../../lib/domain/queries/aggregation-query.ts";
import { evaluateQuery } from "../../../lib/domain/queries/evaluation/evaluate-query.ts";
import type { SummaryRow } from "../../../lib/domain/queries/rows/rows.ts";

const DAY = 86_400_000;
const HOUR = 3_600_000;
const TODAY = Date.parse("2026-05-31");
const iso = (ms: number) => new Date(ms).toISOString().replace(".000Z", "+00:00");

interface Night {
  readonly hrv: number;
  readonly heartRate: number;
  readonly hours: number;
}

/** The long sleep that ended on the morning `daysAgo` days ago. */
function sleepOf({ hrv, heartRate, hours }: Night, daysAgo: number): SummaryRow {
  const end = TODAY - daysAgo * DAY + 7 * HOUR;
  const seconds = Math.round(hours * 3600);
  const [light, rem, deep] = [0.55, 0.25, 0.2].map((part) => Math.round(seconds * part));
  return {
    ...{ id: `night-${daysAgo}`, type: "long_sleep", state: "confirmed", timezone_offset: 0 },
    ...{ calendar_date: iso(end).slice(0, 10), date: iso(TODAY - daysAgo * DAY) },
    ...{ bedtime_start: iso(end - seconds * 1000), bedtime_stop: iso(end), duration: seconds, total: seconds },
    ...{ awake: 0, light, rem, deep, latency: 0, efficiency: 95, score: 80 },
    ...{ average_hrv: hrv, hr_lowest: heartRate, hr_average: heartRate, hr_resting: heartRate },
    source: { provider: "oura", type: "ring" },
  };
}

/** The scores of the last day. `nights` are ordered oldest first; the last one ended today. */
function scoresOf(nights: readonly Night[]) {
  const columns = ["date", "recovery_score", "stress_score", "strain_score"];
  const query = aggregationQuery.parse({ select: columns.map((derived_readiness) => ({ derived_readiness })) });
  const timeframe = { from: iso(TODAY).slice(0, 19), to: iso(TODAY + DAY).slice(0, 19) };
  const sleep = nights.map((night, index) => sleepOf(night, nights.length - 1 - index));
  const priorities = { overrides: [], providers: {} };
  const data = { timeseries: {}, summaries: { sleep }, priorities };
  const table = evaluateQuery({ ...query, timeframe, time_zone: "Etc/UTC" }, data);
  expect(table.date).toEqual([iso(TODAY).slice(0, 10)]);
  const [recovery, stress, strain] = columns.slice(1).map((name) => table[name]?.[0] as number | null);
  return { recovery, stress, strain };
}

const night = fc.record({
  hrv: fc.integer({ min: 15, max: 120 }),
  heartRate: fc.integer({ min: 38, max: 80 }),
  hours: fc.integer({ min: 12, max: 40 }).map((quarters) => quarters / 4),
});
const before = fc.array(night, { minLength: 7, maxLength: 30 });

test("recovery and stress add up to 100, and strain lies between 0 and 21", () => {
  fc.assert(
    fc.property(before, night, (nights, last) => {
      const { recovery, stress, strain } = scoresOf([...nights, last]);
      expect(recovery).toBeGreaterThanOrEqual(0);
      expect(recovery).toBeLessThanOrEqual(100);
      expect(Number(recovery) + Number(stress)).toBeCloseTo(100, 6);
      expect(strain).toBeGreaterThanOrEqual(0);
      expect(strain).toBeLessThanOrEqual(21);
    }),
  );
});

test("recovery and stress are null with fewer than seven earlier nights", () => {
  fc.assert(
    fc.property(fc.array(night, { maxLength: 6 }), night, (nights, last) => {
      expect(scoresOf([...nights, last])).toMatchObject({ recovery: null, stress: null });
    }),
  );
});

test("higher heart rate variability, a lower heart rate and longer sleep never lower recovery", () => {
  fc.assert(
    fc.property(before, night, fc.integer({ min: 1, max: 20 }), (nights, last, more) => {
      const { recovery } = scoresOf([...nights, last]);
      for (const better of [
        { hrv: last.hrv + more },
        { heartRate: last.heartRate - more / 4 },
        { hours: last.hours + 1 },
      ])
        expect(scoresOf([...nights, { ...last, ...better }]).recovery).toBeGreaterThanOrEqual(Number(recovery) - 1e-9);
    }),
  );
});
