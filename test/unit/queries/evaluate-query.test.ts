import { expect, test } from "vitest";
import { aggregationQuery } from "../../../lib/domain/queries/aggregation-query.ts";
import { evaluateQuery, type ResolvedQuery } from "../../../lib/domain/queries/evaluation/evaluate-query.ts";
import type { QueryData, SampleRow, SummaryRow } from "../../../lib/domain/queries/rows/rows.ts";
import { actualSteps, phoneSource, phoneSteps, watchSource, watchSteps } from "../../support/phone-and-watch-day.ts";

type Options = Partial<Pick<ResolvedQuery, "timeframe" | "time_zone" | "merge" | "now">>;
const resolve = (query: object, options: Options = {}): ResolvedQuery => ({
  ...aggregationQuery.parse(query),
  timeframe: { from: "2026-01-01T00:00:00", to: "2027-01-01T00:00:00" },
  time_zone: "UTC",
  ...options,
});
const data = (rows: Partial<QueryData>): QueryData => ({
  timeseries: {},
  summaries: {},
  priorities: { overrides: [], providers: {} },
  ...rows,
});

const key = { group_key: "*" };
const by = (unit: string, index: string, value = 1) => ({ date_trunc: { unit, value }, arg: { index } });
const of = (func: string, timeseries: string, field = "value") => ({ func, arg: { timeseries, field } });
const dailySteps = { select: [key, of("sum", "steps")], group_by: [by("day", "timeseries")] };

const sample = (timestamp: string, value: number, more: Partial<SampleRow> = {}): SampleRow => ({
  timestamp,
  value,
  timezone_offset: null,
  source: watchSource,
  ...more,
});

test("merging a phone and a watch counts every step once: 14,079, neither 4,157 nor the sum", () => {
  const both = data({ timeseries: { steps: [...phoneSteps, ...watchSteps] } });
  const answer = (query: object, options?: Options) => evaluateQuery(resolve(query, options), both)["sum.value"];
  expect(answer(dailySteps, { merge: "interval" })).toEqual([actualSteps.steps]);
  expect(answer(dailySteps)).toEqual([actualSteps.watchAlone]);
  expect(answer({ select: [of("sum", "steps")] })).toEqual([actualSteps.sum]);
});

test("an interval that a preferred source covers partly counts in proportion to its uncovered part", () => {
  const rows = [
    sample("2026-01-05T10:00:00Z", 100, { end: "2026-01-05T10:10:00Z", source: phoneSource }),
    sample("2026-01-05T10:08:00Z", 7, { end: "2026-01-05T10:09:00Z" }),
    sample("2026-01-05T10:09:30Z", 5, { end: "2026-01-05T10:12:00Z" }),
  ];
  const table = evaluateQuery(resolve(dailySteps, { merge: "interval" }), data({ timeseries: { steps: rows } }));
  expect(table["sum.value"]?.[0]).toBeCloseTo(7 + 5 + 85, 9);
});

test("a point sample covers its minute", () => {
  const rows = [
    sample("2026-01-05T10:00:50Z", 60),
    sample("2026-01-05T10:00:10Z", 90, { source: phoneSource }),
    sample("2026-01-05T10:01:10Z", 70, { source: phoneSource }),
  ];
  const query = { select: [{ index: "timeseries" }, { timeseries: "heartrate", field: "value" }] };
  expect(evaluateQuery(resolve(query, { merge: "interval" }), data({ timeseries: { heartrate: rows } }))).toEqual({
    timestamp: ["2026-01-05T10:00:50", "2026-01-05T10:01:10"],
    value: [60, 70],
  });
});

test("merging gives the same result for every timeframe", () => {
  const rows = [
    sample("2026-01-04T23:50:00Z", 10, { end: "2026-01-05T00:10:00Z" }),
    sample("2026-01-05T00:05:00Z", 99, { end: "2026-01-05T00:10:00Z", source: phoneSource }),
  ];
  const timeframe = { from: "2026-01-05T00:00:00", to: "2026-01-06T00:00:00" };
  const table = evaluateQuery(
    resolve(dailySteps, { merge: "interval", timeframe }),
    data({ timeseries: { steps: rows } }),
  );
  expect(table["sum.value"]).toEqual([]);
});

test("days follow the offset of each sample, else the fallback time zone with its daylight saving", () => {
  const rows = [
    sample("2026-03-08T04:59:00Z", 1),
    sample("2026-03-08T05:00:00Z", 2),
    sample("2026-03-09T03:59:00Z", 4),
    sample("2026-03-09T04:00:00Z", 8),
    sample("2026-03-09T04:00:00Z", 16, { timezone_offset: 9 * 3600 }),
    sample("2026-03-08T16:00:00Z", 32, { timezone_offset: 9 * 3600 }),
  ];
  const table = evaluateQuery(
    resolve(dailySteps, { time_zone: "America/New_York" }),
    data({ timeseries: { steps: rows } }),
  );
  expect(table).toEqual({
    "group_key.0": ["2026-03-07T00:00:00", "2026-03-08T00:00:00", "2026-03-09T00:00:00"],
    "sum.value": [1, 2 + 4, 8 + 16 + 32],
  });
});

test.each([
  ["minute", 5, "2026-05-13T14:35:00"],
  ["hour", 1, "2026-05-13T14:00:00"],
  ["week", 1, "2026-05-11T00:00:00"],
  ["month", 3, "2026-04-01T00:00:00"],
  ["year", 1, "2026-01-01T00:00:00"],
])("groups of %s %i start at fixed boundaries", (unit, value, begin) => {
  const query = { ...dailySteps, group_by: [by(unit, "timeseries", value)] };
  const rows = [sample("2026-05-13T14:37:12Z", 1)];
  expect(evaluateQuery(resolve(query), data({ timeseries: { steps: rows } }))["group_key.0"]).toEqual([begin]);
});

test.each([
  ["weekday", 3],
  ["week", 1],
  ["week_of_year", 1],
  ["day_of_year", 365],
  ["day", 31],
  ["month", 12],
  ["year", 2025],
  ["hour", 23],
])("date_part extracts the %s of a time", (part, value) => {
  const query = {
    select: [key],
    group_by: [
      { date_part: part, arg: { index: "timeseries" } },
      { timeseries: "steps", field: "type" },
    ],
  };
  const timeframe = { from: "2025-01-01T00:00:00", to: "2027-01-01T00:00:00" };
  const rows = [sample("2025-12-31T23:59:59Z", 1)];
  expect(evaluateQuery(resolve(query, { timeframe }), data({ timeseries: { steps: rows } }))["group_key.0"]).toEqual([
    value,
  ]);
});

const values = [4, 1, 3, 8].map((value, minute) => sample(`2026-01-05T10:0${minute}:00Z`, value));
test.each([
  ["mean", 4],
  ["min", 1],
  ["max", 8],
  ["sum", 16],
  ["count", 4],
  ["median", 3.5],
  ["stddev", Math.sqrt(26 / 3)],
  ["oldest", 4],
  ["newest", 8],
])("%s aggregates four values", (func, expected) => {
  const table = evaluateQuery(
    resolve({ select: [of(func, "heartrate")] }),
    data({ timeseries: { heartrate: values } }),
  );
  expect(table[`${func}.value`]).toEqual([expected]);
});

test("an aggregate of no values is null, and a count is 0", () => {
  const select = [of("count", "heartrate"), of("mean", "heartrate"), of("stddev", "heartrate")];
  const empty = { "count.value": [0], "mean.value": [null], "stddev.value": [null] };
  expect(evaluateQuery(resolve({ select }), data({}))).toEqual(empty);
  expect(evaluateQuery(resolve({ ...dailySteps }), data({}))).toEqual({ "group_key.0": [], "sum.value": [] });
});

const night = (calendar_date: string, more: Partial<SummaryRow> = {}): SummaryRow => ({
  id: `sleep-${calendar_date}`,
  source: { provider: "oura", type: "ring" },
  calendar_date,
  bedtime_start: `${calendar_date}T00:00:00+00:00`,
  bedtime_stop: `${calendar_date}T08:00:00+00:00`,
  type: "long_sleep",
  timezone_offset: 0,
  duration: 28_800,
  total: 27_000,
  awake: 1_800,
  light: 13_500,
  rem: 6_000,
  deep: 7_500,
  efficiency: 93.75,
  latency: 600,
  average_hrv: 50,
  hr_resting: 55,
  ...more,
});

test("a comparison with null is neither true nor false", () => {
  const rows = [
    night("2026-01-05"),
    night("2026-01-06", { efficiency: null }),
    night("2026-01-07", { efficiency: 60 }),
  ];
  const ids = (where: string) =>
    evaluateQuery(resolve({ select: [{ sleep: "id" }], where }), data({ summaries: { sleep: rows } })).id;
  expect(ids("efficiency > 80")).toEqual(["sleep-2026-01-05"]);
  expect(ids("NOT efficiency > 80")).toEqual(["sleep-2026-01-07"]);
  expect(ids("efficiency > 80 OR type = 'long_sleep'")).toHaveLength(3);
  expect(ids("session_end >= '2026-01-06' AND session_end < '2026-01-07T09:00:00+01:00'")).toEqual([
    "sleep-2026-01-06",
  ]);
});

test("merging sources counts a sleep that two devices recorded once", () => {
  const phoneNight = { source: phoneSource, bedtime_start: "2026-01-04T23:10:00+00:00", id: "phone", total: 30_000 };
  const rows = [
    night("2026-01-05"),
    night("2026-01-05", phoneNight),
    night("2026-01-06", { source: phoneSource, id: "only" }),
  ];
  const query = { select: [{ sleep: "id" }] };
  const table = evaluateQuery(resolve(query, { merge: "interval" }), data({ summaries: { sleep: rows } }));
  expect(table.id).toEqual(["sleep-2026-01-05", "only"]);
});

test("value macros derive their values from the fields and stages of a sleep", () => {
  const cycle = {
    source: watchSource,
    sleep_id: "sleep-2026-01-05",
    stage_start_offset_second: [0, 600, 9_000, 9_300, 27_000],
    stage_end_offset_second: [600, 9_000, 9_300, 27_000, 28_800],
    stage_type: [4, 2, 4, 1, 4],
  };
  const select = ["sleep_score", "chronotype", "asleep_at", "awake_at", "awakenings"].map((value_macro) => ({
    value_macro,
  }));
  expect(
    evaluateQuery(resolve({ select }), data({ summaries: { sleep: [night("2026-01-05")], sleep_cycle: [cycle] } })),
  ).toEqual({
    sleep_score: [97],
    chronotype: ["third"],
    asleep_at: ["2026-01-05T00:10:00"],
    awake_at: ["2026-01-05T07:30:00"],
    awakenings: [1],
  });
});

test("a sub-query reads a list, on its own or inside an aggregate", () => {
  const cycle = {
    source: phoneSource,
    period_start: "2026-01-05",
    menstrual_flow: [
      { date: "2026-01-05", flow: "none" },
      { date: "2026-01-06", flow: "heavy" },
    ],
    basal_body_temperature: [
      { date: "2026-01-05", value: 36.5 },
      { date: "2026-01-06", value: 36.7 },
    ],
  };
  const flow = {
    select: { func: "count" },
    from: { unnest: { menstrual_cycle: "menstrual_flow" } },
    where: "flow != 'none'",
  };
  const field = { field_for: "menstrual_cycle", basal_body_temperature: "value" };
  const warmth = {
    select: { func: "max", arg: field },
    from: { unnest: { menstrual_cycle: "basal_body_temperature" } },
  };
  const rows = data({ summaries: { menstrual_cycle: [cycle] } });
  expect(evaluateQuery(resolve({ select: [{ index: "menstrual_cycle" }, flow, warmth] }), rows)).toEqual({
    timestamp: ["2026-01-05"],
    "menstrual_flow.count": [1],
    "basal_body_temperature.value.max": [36.7],
  });
  const grouped = { select: [{ func: "mean", arg: flow }], group_by: [by("month", "menstrual_cycle")] };
  expect(evaluateQuery(resolve(grouped), rows)).toEqual({ "mean.menstrual_flow.count": [1] });
});

test.each([
  ["carry_forward", { max_age: { value: 2, unit: "day" } }, [80, 80, 80, null, 90, 90, 90]],
  ["carry_backward", { max_age: { value: 1, unit: "day" } }, [80, 80, null, null, 90, 90]],
  ["carry_nearest", { span: { value: 2, unit: "day" } }, [80, 80, 80, 80, 80, 90, 90, 90, 90]],
  ["carry_forward", {}, [80, 80, 80, 80, 90]],
])("%s %j fills empty days", (mode, reach, expected) => {
  const body = (calendar_date: string, weight: number) => ({ source: phoneSource, calendar_date, weight });
  const query = {
    select: [key, { func: "mean", arg: { body: "weight_kilogram" } }],
    group_by: [by("day", "body")],
    align: { carry: { mode, ...reach } },
  };
  const summaries = { body: [body("2026-01-05", 80), body("2026-01-09", 90)] };
  const table = evaluateQuery(resolve(query), data({ summaries }));
  expect(table["mean.weight_kilogram"]).toEqual(expected);
});

test("readiness needs seven earlier nights, and a usual night scores 50", () => {
  const nights = Array.from({ length: 9 }, (_, n) =>
    night(`2026-01-${String(n + 1).padStart(2, "0")}`, { total: 28_800 }),
  );
  const query = {
    select: ["date", "recovery_score", "recovery_zone", "stress_score", "strain_score", "strain_zone"].map(
      (column) => ({ derived_readiness: column }),
    ),
  };
  const table = evaluateQuery(resolve(query), data({ summaries: { sleep: nights } }));
  expect(table.recovery_score).toEqual([null, null, null, null, null, null, null, 50, 50]);
  expect(table.stress_score?.at(-1)).toBe(50);
  expect([table.strain_score?.at(-1), table.strain_zone?.at(-1), table.recovery_zone?.at(-1)]).toEqual([
    0,
    "Low",
    "Amber",
  ]);
});

test("each group keeps its best source: by source type, the query's overrides, the team's priorities", () => {
  const from = (provider: string, type: string, value: number) =>
    sample("2026-01-05T10:00:00Z", value, { source: { provider, type } });
  const rows = [
    from("oura", "ring", 1),
    from("garmin", "watch", 2),
    from("fitbit", "watch", 3),
    from("dexcom", "app", 4),
  ];
  const answer = (overrides: string[], providers: Record<string, number>) =>
    evaluateQuery(resolve(dailySteps), data({ timeseries: { steps: rows }, priorities: { overrides, providers } }))[
      "sum.value"
    ];
  expect(answer([], {})).toEqual([3]);
  expect(answer([], { garmin: 2, fitbit: 1, oura: 9 })).toEqual([2]);
  expect(answer(["fitbit"], { garmin: 2 })).toEqual([3]);
  const sources = [{ source: "source_provider" }, { source: "source_type" }];
  const apart = evaluateQuery(
    resolve({ ...dailySteps, group_by: [...dailySteps.group_by, ...sources] }),
    data({ timeseries: { steps: rows } }),
  );
  expect(apart["sum.value"]).toEqual([4, 3, 2, 1]);
});
