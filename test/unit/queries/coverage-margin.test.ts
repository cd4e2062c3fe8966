import { describe, expect, test } from "vitest";
import { aggregationQuery } from "../../../lib/domain/queries/aggregation-query.ts";
import { checkQuery } from "../../../lib/domain/queries/check-query.ts";
import { evaluateRows, type ResolvedQuery } from "../../../lib/domain/queries/evaluation/evaluate-query.ts";
import type { MergeMode } from "../../../lib/domain/queries/merge-mode.ts";
import type { RowSource } from "../../../lib/domain/queries/rows/rows.ts";
import { daysToRead, resolveTimeframe } from "../../../lib/domain/queries/timeframe.ts";
import type { DateRange } from "../../../lib/domain/shared/date-range.ts";
import { floatingTimeConverter } from "../../../lib/domain/shared/local-day.ts";
import { chunkToColumns } from "../../../lib/domain/timeseries/chunk/chunk-columns.ts";
import { readRows } from "../../../lib/services/queries/read-rows.ts";
import { TeamScope } from "../../../lib/store/team-scope.ts";

const scope = TeamScope.grant("0b0e5f0e-1111-4111-8111-0123456789ab");
const priorities = { overrides: [], providers: {} };
const HOUR_MS = 3_600_000;

interface Amount {
  readonly source: RowSource;
  /** ISO 8601 with an offset. */
  readonly start: string;
  readonly hours: number;
  readonly value: number;
}

const watch = (device_id: string): RowSource => ({ provider: "garmin", type: "watch", device_id, app_id: null });
const phone: RowSource = { provider: "apple_health_kit", type: "phone", device_id: null, app_id: null };

/** Stores with one slice per sample, of which a read yields those that start in its range. */
const storesOf = (amounts: readonly Amount[]) => ({
  chunks: {
    async *read(...[, , , { range }]: [unknown, unknown, unknown, { range: DateRange }]) {
      for (const { source, start, hours, value } of amounts) {
        const at = Date.parse(start);
        if (at < range.fromMs || at > range.toMs) continue;
        const offsetS = start.endsWith("Z") ? 0 : Number(start.slice(-6, -3)) * 3600;
        const sample = { start: at, end: at + hours * HOUR_MS, value, offsetS, type: null, run: 0 };
        const columns = chunkToColumns({ samples: [sample], runs: [] });
        const recorder = { deviceId: source.device_id ?? null, appId: null };
        yield { sk: "", provider: source.provider, sourceType: source.type, ...recorder, columns, from: 0, to: 1 };
      }
    },
  },
  summaries: {},
});

/** The sum of the last day of timeframes of 1, 2, 3 and 30 days; undefined where the day has no group. */
async function sumsOfDay(anchor: string, merge: MergeMode | undefined, amounts: readonly Amount[]) {
  const query = aggregationQuery.parse({
    select: [{ group_key: "*" }, { func: "sum", arg: { timeseries: "steps", field: "value" } }],
    group_by: [{ date_trunc: { unit: "day" }, arg: { index: "timeseries" } }],
  });
  const checked = checkQuery(query);
  if (!("columns" in checked)) throw new Error("invalid query");
  const reading = { scope, userId: "u", floatingOf: floatingTimeConverter("UTC"), priorities };
  const stores = storesOf(amounts) as object as Parameters<typeof readRows>[0];
  const sums: unknown[] = [];
  for (const value of [1, 2, 3, 30]) {
    const span = resolveTimeframe({ type: "relative", anchor, past: { value, unit: "day" } });
    const resolved: ResolvedQuery = { ...query, merge, timeframe: span, time_zone: "UTC" };
    const set = await readRows(stores, reading, checked.table, daysToRead(checked.table, span, resolved));
    const table = evaluateRows(resolved, checked, set, priorities);
    sums.push(table["sum.value"]?.[table["group_key.0"]?.indexOf(`${anchor}T00:00:00`) ?? -1]);
  }
  return sums;
}

const same = (value: number | undefined) => [value, value, value, value];

describe("the sum of a day does not depend on the timeframe", () => {
  const rules = [undefined, "strict", "interval"] as const;

  test.each(rules)(
    "where another device of the source began on the day before, far from Greenwich (%s)",
    async (merge) => {
      const amounts = [
        { source: watch("A"), start: "2026-11-09T20:00:00+13:00", hours: 8, value: 800 },
        { source: watch("B"), start: "2026-11-10T00:00:00+13:00", hours: 4, value: 400 },
        { source: watch("B"), start: "2026-11-10T12:00:00+13:00", hours: 1, value: 10 },
      ];
      expect(await sumsOfDay("2026-11-10", merge, amounts)).toEqual(same(10));
    },
  );

  test.each(rules)("where the better device begins on the day after (%s)", async (merge) => {
    const amounts = [
      { source: watch("B"), start: "2026-11-10T23:00:00-12:00", hours: 4, value: 400 },
      { source: watch("A"), start: "2026-11-11T01:00:00-12:00", hours: 2, value: 800 },
    ];
    expect(await sumsOfDay("2026-11-10", merge, amounts)).toEqual(same(200));
  });

  test.each([
    [25, "2026-11-09T07:00:00Z", 0],
    [60, "2026-11-08T00:00:00Z", 400],
  ])("where an interval of a better source lasts %i hours", async (hours, start, sum) => {
    const amounts = [
      { source: watch("A"), start, hours, value: 6_000 },
      { source: phone, start: "2026-11-10T07:00:00Z", hours: 1, value: 400 },
      { source: phone, start: "2026-11-10T12:00:00Z", hours: 1, value: 0 },
    ];
    expect(await sumsOfDay("2026-11-10", "interval", amounts)).toEqual(same(sum));
  });
});

describe("the days to read beside a timeframe", () => {
  const span = { from: "2026-11-10T00:00:00", to: "2026-11-11T00:00:00" };
  const byDay = aggregationQuery.shape.group_by.parse([{ date_trunc: { unit: "day" }, arg: { index: "timeseries" } }]);
  const read = (timeseries: string, query: Parameters<typeof daysToRead>[2]) => {
    const { first, last, beforeMs = 0, afterMs = 0 } = daysToRead({ timeseries } as never, span, query);
    return [last - first, beforeMs / HOUR_MS, afterMs / HOUR_MS];
  };

  test("are the longest day where intervals may cover one another", () => {
    expect(read("steps", { group_by: byDay })).toEqual([0, 25, 25]);
    expect(read("body_temperature", { merge: "interval" })).toEqual([0, 25, 0]);
  });

  test("are none for points and for queries that set nothing aside", () => {
    expect(read("heartrate", { group_by: byDay, merge: "interval" })).toEqual([0, 0, 0]);
    expect(read("steps", { merge: "strict" })).toEqual([0, 0, 0]);
  });

  test("reach a year for menstrual cycles, which can last long", () => {
    const { first, last } = daysToRead("menstrual_cycle", span, {});
    expect(last - first).toBe(2 * 366);
  });
});
