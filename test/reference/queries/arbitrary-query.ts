import fc from "fast-check";
import { aggregationQuery } from "../../../lib/domain/queries/aggregation-query.ts";
import { checkQuery } from "../../../lib/domain/queries/check-query.ts";
import type { ResolvedQuery } from "../../../lib/domain/queries/evaluation/evaluate-query.ts";
import type { SelectItem } from "../../../lib/domain/queries/expressions/expressions.ts";
import type { QueryData } from "../../../lib/domain/queries/rows/rows.ts";
import type { ColumnType } from "../../../lib/domain/queries/tables/columns.ts";
import { arbitraryData, sampleNumbers, type ZoneDay, zoneDays } from "./arbitrary-data.ts";
import { arbitraryCondition } from "./arbitrary-where.ts";
import { outputName } from "./expressions.ts";
import { formatInstant } from "./reference-rows.ts";
import { DAY_MS } from "./wall-clock.ts";

/** A query and its input data. */
export interface QueryCase {
  readonly query: ResolvedQuery;
  readonly data: QueryData;
}

/** A selectable column: its form in a query, its name and its type. */
interface Column {
  readonly item: object;
  readonly name: string;
  readonly type: ColumnType;
}

/** A possible subject of a query. */
interface Subject {
  readonly about: string;
  readonly index: string;
  readonly columns: readonly Column[];
}

const timeseries = (about: string, columns: Readonly<Record<string, ColumnType>>): Subject => ({
  about,
  index: "timeseries",
  columns: Object.entries(columns).map(([name, type]) => ({ item: { timeseries: about, field: name }, name, type })),
});
const table = (about: string, columns: Readonly<Record<string, ColumnType>>): Subject => ({
  about,
  index: about,
  columns: Object.entries(columns).map(([name, type]) => ({ item: { [about]: name }, name, type })),
});
const source = { source_provider: "text", source_type: "text", source_app_id: "text" } as const;
const ofSample = { ...source, type: "text", timezone_offset: "number" } as const;

const subjects: readonly Subject[] = [
  timeseries("steps", { value: "number", duration: "number", ...ofSample }),
  timeseries("body_temperature", { value: "number", duration: "number", ...ofSample }),
  timeseries("heartrate", { value: "number", ...ofSample }),
  timeseries("blood_pressure", { systolic: "number", diastolic: "number", ...ofSample }),
  timeseries("note", { content: "text", tags: "list", ...ofSample }),
  table("activity", {
    date: "date",
    ...{ steps: "number", distance_meter: "number", calories_active: "number", intensity_low_second: "number" },
    ...{ heart_rate_resting: "number", wheelchair_use: "boolean", time_zone_offset: "number" },
    ...source,
  }),
  table("sleep", {
    ...{ session_start: "instant", session_end: "instant", state: "text", type: "text", duration_second: "number" },
    ...{ stage_asleep_second: "number", stage_rem_second: "number", latency_second: "number", score: "number" },
    ...{ heart_rate_minimum: "number", hrv_mean_rmssd: "number", efficiency: "number" },
    ...source,
  }),
  table("derived_readiness", {
    ...{ date: "date", chronotype: "text", recovery_zone: "text", strain_zone: "text" },
    ...{ sleep_score: "number", recovery_score: "number", stress_score: "number", strain_score: "number" },
  }),
  table("workout", {
    ...{ session_start: "instant", session_end: "instant", sport_slug: "text", external_id: "text" },
    ...{ heart_rate_mean: "number", distance_meter: "number", calories: "number" },
    ...source,
  }),
  table("body", { weight_kilogram: "number", fat_mass_percentage: "number", ...source }),
  table("menstrual_cycle", {
    ...{ period_start: "date", period_end: "date", is_predicted: "boolean" },
    ...{ menstrual_flow: "list", basal_body_temperature: "list", sexual_activity: "list" },
    ...source,
  }),
];

const literals: Readonly<Record<string, (place: ZoneDay) => string[]>> = {
  number: () => [...sampleNumbers.map(String), "-3600", "28800"],
  text: () => ["'oura'", "'fitbit'", "'watch'", "'phone'", "'long_sleep'", "'running'", "'it''s'", "''", "'resting'"],
  boolean: () => ["TRUE", "false"],
  date: ({ date }) => [`'${date}'`, `'${formatInstant(Date.parse(date) - 3 * DAY_MS).slice(0, 10)}'`],
  instant: ({ date }) => [`'${date}T00:00:00Z'`, `'${date}T02:00:00-05:00'`, `'${date}T01:30:00'`],
};

const whereOver = (columns: readonly Column[], place: ZoneDay) =>
  arbitraryCondition(
    columns.flatMap(({ name, type }) => (literals[type] ? [{ name, type, literals: literals[type](place) }] : [])),
  );

const lists: Readonly<Record<string, { field: string; type: ColumnType; literals: readonly string[] }>> = {
  tags: { field: "element", type: "text", literals: ["'food'", "'exercise'"] },
  menstrual_flow: { field: "flow", type: "text", literals: ["'none'", "'heavy'"] },
  basal_body_temperature: { field: "value", type: "number", literals: ["36.6"] },
  sexual_activity: { field: "protection_used", type: "boolean", literals: ["true"] },
};
const ofNumbers = ["mean", "median", "stddev", "sum", "min", "max", "count"];
const ofAny = ["min", "max", "count"];

/** Arbitrary sub-queries of a list column. */
function subqueries({ item, name }: Column): fc.Arbitrary<Column> {
  const { field, type, literals } = lists[name] ?? { field: "", type: "text", literals: [] };
  const arg = field === "element" ? { element: true } : { field_for: "menstrual_cycle", [name]: field };
  const where = fc.option(arbitraryCondition([{ name: field, type, literals }]), { nil: undefined });
  const func = fc.constantFrom(...(type === "number" ? ofNumbers : ofAny));
  return fc.tuple(func, fc.boolean(), where).map(([func, isCounted, where]): Column => {
    const select = func === "count" && isCounted ? { func, arg: null } : { func, arg };
    const isNumber = func === "count" || type === "number";
    return { item: { select, from: { unnest: item }, where }, name, type: isNumber ? "number" : type };
  });
}

const macros = { chronotype: "text", sleep_score: "number", awakenings: "number" } as const;
const clockMacros = { asleep_at: "instant", awake_at: "instant" } as const;
const macroColumns = Object.entries({ ...macros, ...clockMacros }).map(
  ([value_macro, type]): Column => ({ item: { value_macro }, name: value_macro, type }),
);

const valuesOf = ({ about, columns, index }: Subject): fc.Arbitrary<Column> =>
  fc.oneof(
    ...(about === "sleep" ? [{ arbitrary: fc.constantFrom(...macroColumns), weight: 3 }] : []),
    { arbitrary: fc.constantFrom(...columns.filter(({ type }) => type !== "list")), weight: 6 },
    fc.constant({ item: { index }, name: "timestamp", type: "instant" as const }),
    ...columns.filter(({ type }) => type === "list").map(subqueries),
  );

const named = (items: fc.Arbitrary<object>, maxLength: number) =>
  fc.uniqueArray(items, { minLength: 1, maxLength, selector: (item) => outputName(item as SelectItem) });

const aggregatesOf = (subject: Subject) =>
  valuesOf(subject).chain(({ item, type }) =>
    fc
      .constantFrom(...(type === "number" ? ofNumbers : ofAny), "oldest", "newest")
      .map((func) => ({ func, arg: item })),
  );

const units = ["minute", "hour", "day", "week", "month", "year"];
const parts = [...units, "weekday", "week_of_year", "day_of_year"];
const period = fc.oneof(
  { arbitrary: fc.constantFrom({ value: 1, unit: "day" }, { value: 1, unit: "hour" }), weight: 3 },
  fc.record({ value: fc.integer({ min: 1, max: 3 }), unit: fc.constantFrom(...units.slice(1)) }),
  fc.record({ value: fc.constantFrom(15, 30, 90), unit: fc.constant("minute") }),
);
const reach = fc.record({ value: fc.integer({ min: 1, max: 3 }), unit: fc.constantFrom("day", "week", "month") });
const carry = fc.oneof(
  fc.record({ mode: fc.constantFrom("carry_forward", "carry_backward"), max_age: fc.option(reach) }),
  fc.record({ mode: fc.constant("carry_nearest"), span: fc.option(reach) }),
);

/** Arbitrary group keys: time bucket, date part, columns and sources, each optional. */
function groupsOf({ columns, index }: Subject): fc.Arbitrary<object[]> {
  const arg = { index };
  const keys = columns.filter(({ type, name }) => type !== "list" && !name.startsWith("source_"));
  const sources = fc.constantFrom("source_provider", "source_type", "source_app_id").map((source) => ({ source }));
  return fc
    .record({
      trunc: fc.option(
        period.map((date_trunc) => ({ date_trunc, arg })),
        { freq: 5 },
      ),
      part: fc.option(
        fc.constantFrom(...parts).map((date_part) => ({ date_part, arg })),
        { freq: 1 },
      ),
      column: fc.option(fc.constantFrom(...keys.map(({ item }) => item)), { freq: 1 }),
      sources: fc.oneof(
        { arbitrary: fc.constant([]), weight: 3 },
        fc.uniqueArray(sources, { maxLength: 2, selector: ({ source }) => source }),
      ),
    })
    .chain(({ trunc, part, column, sources }) => {
      const all = [trunc, part, column, ...sources].filter((item): item is object => item !== null);
      return fc.shuffledSubarray(all, { minLength: all.length });
    });
}

function selectionOf(subject: Subject): fc.Arbitrary<object> {
  const rows = named(
    valuesOf(subject).map(({ item }) => item),
    4,
  ).map((select) => ({ select }));
  const alone = named(aggregatesOf(subject), 4).map((select) => ({ select }));
  const groups = fc
    .tuple(groupsOf(subject), named(aggregatesOf(subject), 3), fc.option(carry))
    .map(([group_by, aggregates, carry]) => {
      if (group_by.length === 0) return { select: aggregates };
      const isTruncated = group_by.some((item) => "date_trunc" in item);
      const isFilled = carry !== null && isTruncated && !group_by.some((item) => "date_part" in item);
      const select = [{ group_key: "*" }, ...aggregates];
      return isFilled ? { select, group_by, align: { carry } } : { select, group_by };
    });
  return fc.oneof({ arbitrary: groups, weight: 6 }, { arbitrary: rows, weight: 2 }, alone);
}

/** Arbitrary timeframes around the day of a zone, in whole days or in hours of floating time. */
function timeframes({ date }: ZoneDay) {
  const hours = fc.tuple(fc.integer({ min: -72, max: 36 }), fc.constantFrom(0, 30)).map(([h, m]) => h * 60 + m);
  return fc
    .tuple(
      fc.oneof(
        fc.constantFrom(-3, -1, 0).map((days) => days * 1440),
        hours,
      ),
      fc.constantFrom(1, 2, 4, 7, 40),
    )
    .map(([minutes, days]) => {
      const from = Date.parse(date) + minutes * 60_000;
      const clock = (ms: number) => formatInstant(ms).slice(0, 19);
      return { from: clock(from - (days > 7 ? days * DAY_MS : 0)), to: clock(days > 7 ? from : from + days * DAY_MS) };
    });
}

/** Whether the query is valid: it names a table, and carries values over whole groups only. */
const isValidCase = ({ query }: QueryCase) => "columns" in checkQuery(query);

/** Arbitrary valid queries with data of the days around them. */
export const arbitraryQueryCase: fc.Arbitrary<QueryCase> = fc
  .tuple(fc.constantFrom(...zoneDays), fc.constantFrom(...subjects))
  .chain(([place, subject]) =>
    fc.record({
      query: fc
        .record({
          body: selectionOf(subject),
          where: fc.option(whereOver(subject.columns, place), { nil: undefined, freq: 2 }),
          timeframe: timeframes(place),
          merge: fc.constantFrom(undefined, "strict" as const, "interval" as const),
        })
        .map(({ body, where, timeframe, merge }): ResolvedQuery => {
          return { ...aggregationQuery.parse({ ...body, where }), timeframe, merge, time_zone: place.zone };
        }),
      data: arbitraryData(place, subject.about),
    }),
  )
  .filter(isValidCase);
