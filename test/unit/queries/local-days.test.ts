import { describe, expect, test } from "vitest";
import { aggregationQuery } from "../../../lib/domain/queries/aggregation-query.ts";
import { evaluateQuery, type ResolvedQuery } from "../../../lib/domain/queries/evaluation/evaluate-query.ts";
import type { Period } from "../../../lib/domain/queries/expressions/expressions.ts";
import type { QueryData, SampleRow } from "../../../lib/domain/queries/rows/rows.ts";
import { referenceAnswer } from "../../reference/queries/reference-answer.ts";

const HOUR = 3_600_000;
const at = (ms: number) => new Date(ms).toISOString();

/** One step at an instant, with the offset that the source sent. */
const step = (timestamp: string, offsetHours: number | null = null, value = 1): SampleRow => ({
  timestamp,
  end: timestamp,
  value,
  timezone_offset: offsetHours === null ? null : offsetHours * 3600,
  source: { provider: "garmin", type: "watch" },
});

/** Consecutive steps, the first at `from`, the last before `to`. */
const stepsBetween = (from: string, to: string, everyMs: number) =>
  Array.from({ length: (Date.parse(to) - Date.parse(from)) / everyMs }, (_, index) =>
    step(at(Date.parse(from) + index * everyMs)),
  );

interface Asked {
  readonly zone: string;
  readonly from: string;
  readonly to: string;
  readonly by?: Period;
  readonly func?: string;
  readonly align?: object;
}

function asked({ zone, from, to, by = { value: 1, unit: "day" }, func = "sum", align }: Asked): ResolvedQuery {
  const query = aggregationQuery.parse({
    select: [{ group_key: 0 }, { func, arg: { timeseries: "steps", field: "value" } }],
    group_by: [{ date_trunc: by, arg: { index: "timeseries" } }],
    align,
  });
  return { ...query, timeframe: { from: `${from}T00:00:00`, to: `${to}T00:00:00` }, time_zone: zone };
}

const dataOf = (...samples: readonly SampleRow[]): QueryData => ({
  timeseries: { steps: samples },
  summaries: {},
  priorities: { overrides: [], providers: {} },
});

// The same expected answers check the reference, so an error shared by both implementations shows.
describe.each([
  ["the engine", evaluateQuery],
  ["the reference", referenceAnswer],
])("%s groups by the user's local days", (_, answer) => {
  const answered = (query: Asked, ...samples: readonly SampleRow[]) => {
    const table = answer(asked(query), dataOf(...samples));
    const keys = table["group_key.0"] ?? [];
    const values = table[`${query.func ?? "sum"}.value`] ?? [];
    return keys.map((key, index) => [String(key), values[index]]);
  };

  test.each([
    ["23 hours", "America/New_York", "2026-03-08", "2026-03-08T05:00:00Z", "2026-03-09T04:00:00Z", HOUR, 23],
    ["25 hours", "America/New_York", "2026-11-01", "2026-11-01T04:00:00Z", "2026-11-02T05:00:00Z", HOUR, 25],
    ["23 hours", "Europe/Berlin", "2026-03-29", "2026-03-28T23:00:00Z", "2026-03-29T22:00:00Z", HOUR, 23],
    ["24.5 hours", "Australia/Lord_Howe", "2026-04-05", "2026-04-04T13:00:00Z", "2026-04-05T13:30:00Z", HOUR / 2, 49],
    ["23.5 hours", "Australia/Lord_Howe", "2026-10-04", "2026-10-03T13:30:00Z", "2026-10-04T13:00:00Z", HOUR / 2, 47],
    [
      "23 hours without midnight",
      "Africa/Cairo",
      "2026-04-24",
      "2026-04-23T22:00:00Z",
      "2026-04-24T21:00:00Z",
      HOUR,
      23,
    ],
    [
      "24 hours at a half-hour offset",
      "Asia/Kolkata",
      "2026-01-02",
      "2026-01-01T18:30:00Z",
      "2026-01-02T18:30:00Z",
      HOUR / 2,
      48,
    ],
    [
      "24 hours at a 45-minute offset",
      "Asia/Kathmandu",
      "2026-01-02",
      "2026-01-01T18:15:00Z",
      "2026-01-02T18:15:00Z",
      HOUR / 4,
      96,
    ],
  ])("a day of %s in %s (%s) contains exactly its own steps", (_, zone, date, from, to, every, count) => {
    const before = step(at(Date.parse(from) - 1));
    const after = step(to);
    const [dayBefore, dayAfter] = [-1, 1].map((days) => at(Date.parse(date) + days * 24 * HOUR).slice(0, 10));
    const query = { zone, from: String(dayBefore), to: at(Date.parse(date) + 48 * HOUR).slice(0, 10) };
    expect(answered(query, before, ...stepsBetween(from, to, every), after)).toEqual([
      [`${dayBefore}T00:00:00`, 1],
      [`${date}T00:00:00`, count],
      [`${dayAfter}T00:00:00`, 1],
    ]);
  });

  test("a repeated hour contains the steps of both occurrences, and a skipped hour has no group", () => {
    const hourly = { zone: "America/New_York", by: { value: 1, unit: "hour" } } as const;
    const back = stepsBetween("2026-11-01T04:00:00Z", "2026-11-01T08:00:00Z", HOUR);
    expect(answered({ ...hourly, from: "2026-11-01", to: "2026-11-02" }, ...back)).toEqual([
      ["2026-11-01T00:00:00", 1],
      ["2026-11-01T01:00:00", 2],
      ["2026-11-01T02:00:00", 1],
    ]);
    const ahead = stepsBetween("2026-03-08T06:00:00Z", "2026-03-08T08:00:00Z", HOUR);
    expect(answered({ ...hourly, from: "2026-03-08", to: "2026-03-09" }, ...ahead)).toEqual([
      ["2026-03-08T01:00:00", 1],
      ["2026-03-08T03:00:00", 1],
    ]);
  });

  test("a user who flies back over the date line repeats a day, by the offsets of the samples", () => {
    const inAuckland = step("2026-06-10T01:00:00Z", 12, 10);
    const inHonolulu = [step("2026-06-10T08:00:00Z", -10, 200), step("2026-06-11T05:00:00Z", -10, 3_000)];
    const query = { zone: "Pacific/Auckland", from: "2026-06-09", to: "2026-06-12" };
    expect(answered(query, inAuckland, ...inHonolulu)).toEqual([
      ["2026-06-09T00:00:00", 200],
      ["2026-06-10T00:00:00", 3_010],
    ]);
    expect(answered({ ...query, func: "newest" }, inAuckland, ...inHonolulu)).toEqual([
      ["2026-06-09T00:00:00", 200],
      ["2026-06-10T00:00:00", 3_000],
    ]);
  });

  test("filling neither skips nor repeats a day across a clock change", () => {
    const query = { zone: "Europe/Berlin", from: "2026-10-24", to: "2026-10-28" };
    const align = { carry: { mode: "carry_forward", max_age: { value: 1, unit: "week" } } };
    expect(answered({ ...query, align }, step("2026-10-24T10:00:00Z", null, 7))).toEqual([
      ["2026-10-24T00:00:00", 7],
      ["2026-10-25T00:00:00", 7],
      ["2026-10-26T00:00:00", 7],
      ["2026-10-27T00:00:00", 7],
    ]);
  });
});
