import { describe, expect, test } from "vitest";
import { aggregationQuery } from "../../../lib/domain/queries/aggregation-query.ts";
import { checkQuery } from "../../../lib/domain/queries/check-query.ts";
import { evaluateQuery, type ResolvedQuery } from "../../../lib/domain/queries/evaluation/evaluate-query.ts";
import { selectRows } from "../../../lib/domain/queries/evaluation/select-rows.ts";
import { explainGroups } from "../../../lib/domain/queries/explain/explain-groups.ts";
import { explainSummaries } from "../../../lib/domain/queries/explain/explain-summaries.ts";
import { queriedRows } from "../../../lib/domain/queries/rows/queried-rows.ts";
import type { QueryData, RowSource, SampleRow } from "../../../lib/domain/queries/rows/rows.ts";
import { floatingTimeConverter } from "../../../lib/domain/shared/local-day.ts";

const priorities = { overrides: [], providers: {} };
const toFloating = floatingTimeConverter("UTC");
const watch = (device_id: string | null, app_id: string | null = null) => ({
  provider: "garmin",
  type: "watch",
  device_id,
  app_id,
});
const phone = { ...watch("phone"), type: "phone" };

const steps = (source: RowSource, from: string, to: string, value: number): SampleRow => ({
  timestamp: `2026-05-01T${from}:00Z`,
  end: `2026-05-01T${to}:00Z`,
  value,
  timezone_offset: 0,
  source,
});
/** Two watches whose times overlap by half an hour, and a phone that covers the whole day. */
const samples = [
  steps(watch("left"), "08:00", "09:00", 600),
  steps(watch("right"), "08:30", "09:30", 400),
  steps(phone, "07:00", "10:00", 1_000),
];

const sum = { func: "sum", arg: { timeseries: "steps", field: "value" } };
const byDay = { date_trunc: { unit: "day", value: 1 }, arg: { index: "timeseries" } };
const by = (...sources: string[]) => sources.map((source) => ({ source }));
const resolve = (query: object, merge?: "strict" | "interval"): ResolvedQuery => ({
  ...aggregationQuery.parse({ select: [{ group_key: "*" }, sum], ...query }),
  timeframe: { from: "2026-05-01T00:00:00", to: "2026-05-02T00:00:00" },
  time_zone: "UTC",
  merge,
});
const answer = (query: object, merge?: "strict" | "interval", rows: readonly SampleRow[] = samples) => {
  const data: QueryData = { timeseries: { steps: rows }, summaries: {}, priorities };
  return evaluateQuery(resolve(query, merge), data);
};

describe("devices of one source", () => {
  test("count each interval once under both rules", () => {
    expect(answer({ group_by: [byDay] })["sum.value"]).toEqual([800]);
    expect(answer({ group_by: [byDay] }, "interval")["sum.value"]).toEqual([800 + 500]);
    expect(answer({ group_by: by("source_provider", "source_type") })["sum.value"]).toEqual([1_000, 800]);
  });

  test("stand side by side where the group keys name them", () => {
    const all = by("source_provider", "source_type", "source_device_id", "source_app_id");
    expect(answer({ group_by: all })["sum.value"]).toEqual([1_000, 600, 400]);
    expect(answer({ group_by: by("source_device_id") })).toEqual({
      "group_key.0": ["left", "phone", "right"],
      "sum.value": [600, 1_000, 400],
    });
  });

  test("are columns of conditions", () => {
    expect(answer({ group_by: [byDay], where: "source_device_id = 'right'" })["sum.value"]).toEqual([400]);
    expect(answer({ group_by: [byDay], where: "source_app_id = 'x'" })["sum.value"]).toEqual([]);
  });

  test("change nothing where a source has one of them", () => {
    const own = [steps(watch("left"), "08:00", "09:00", 600), steps(watch("left"), "08:30", "09:30", 400)];
    expect(answer({ group_by: [byDay] }, "strict", own)["sum.value"]).toEqual([1_000]);
  });

  test("without device and app rank last, as samples that an earlier version stored", () => {
    const both = [steps(watch(null), "08:00", "09:00", 500), steps(watch("left"), "08:00", "09:00", 600)];
    expect(answer({ group_by: [byDay] }, "strict", both)["sum.value"]).toEqual([600]);
  });

  test("are named in explanations, with the time that each contributed", () => {
    const query = resolve({ group_by: [byDay] });
    const checked = checkQuery(query);
    if (!("columns" in checked)) throw new Error("invalid query");
    const set = queriedRows(checked.table, { timeseries: { steps: samples }, summaries: {}, priorities }, toFloating);
    const [explained] = explainGroups(query, set, selectRows(query, checked.table, set, priorities), priorities);
    const at = (from: string, to: string) => ({ from: `2026-05-01T${from}:00`, to: `2026-05-01T${to}:00` });
    expect(explained).toMatchObject({
      rule: "strict",
      used: [
        { source: watch("left"), intervals: [at("08:00", "09:00")], values: { "sum.value": 600 } },
        { source: watch("right"), intervals: [at("09:00", "09:30")], values: { "sum.value": 200 } },
      ],
      set_aside: [
        { source: watch("right"), intervals: [at("08:30", "09:00")], values: { "sum.value": 200 } },
        { source: phone, intervals: [at("07:00", "10:00")], values: { "sum.value": 1_000 } },
      ],
    });
    expect(explained?.in_words).toContain("garmin (watch, device left) ranks above garmin (watch, device right)");
  });
});

test("activities of two devices of a day count once, and are rivals in explanations", () => {
  const day = (source: RowSource, value: number) => ({ calendar_date: "2026-05-01", steps: value, id: "a", source });
  const rows = [day(watch("right", "app"), 5), day(watch("left"), 7)];
  const query = {
    ...resolve({}),
    ...aggregationQuery.parse({
      select: [{ func: "sum", arg: { activity: "steps" } }],
      group_by: [{ date_trunc: { unit: "day", value: 1 }, arg: { index: "activity" } }],
    }),
  };
  expect(evaluateQuery(query, { timeseries: {}, summaries: { activity: rows }, priorities })).toEqual({
    "sum.steps": [7],
  });
  const [right, left] = explainSummaries("activity", rows, toFloating, priorities);
  expect([right?.standing, left?.standing]).toEqual(["set_aside", "best"]);
  expect(right?.rivals).toMatchObject([{ source: watch("left"), values: { steps: 7 } }]);
});

test("a derived activity names the shares of its devices", () => {
  const derived_from = {
    steps: [
      { device_id: "left", app_id: null, share: 0.75 },
      { device_id: null, app_id: "app", share: 0.25 },
    ],
    distance: [{ device_id: "left", app_id: null, share: 1 }],
  };
  const row = { calendar_date: "2026-05-01", derived: true, source: watch(null), derived_from };
  const [explained] = explainSummaries("activity", [row], toFloating, priorities);
  expect(explained?.recorders).toEqual(derived_from);
  expect(explained?.in_words).toContain("Shares of steps: 75 % device left, 25 % app app.");
});
