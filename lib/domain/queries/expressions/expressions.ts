import * as z from "zod";
import { type TableName, tableColumns, tableNames } from "../tables/columns.ts";
import { timeseriesFieldNames, timeseriesNames } from "../tables/timeseries-fields.ts";

/** The expressions of the query language. Each is an object with one distinguishing key. */

/** A union with one error message for all alternatives, instead of every issue of every alternative. */
const oneOf = <const Options extends readonly [z.ZodType, z.ZodType, ...z.ZodType[]]>(what: string, options: Options) =>
  z.union(options, { error: `Expected ${what}` });

export const functionNames = ["mean", "min", "max", "sum", "count", "median", "stddev", "oldest", "newest"] as const;
const periodUnits = ["minute", "hour", "day", "week", "month", "year"] as const;
const valueMacros = ["sleep_score", "chronotype", "asleep_at", "awake_at", "awakenings"] as const;
/** The public API has no `source_device_id` here; the rest are its columns. */
const sourceColumns = [
  "source_provider",
  "source_type",
  "source_app_id",
  "source_device_id",
  "source_workout_id",
  "source_sport",
] as const;

/** A number of time units, 1 to 100,000. */
export const period = z.strictObject({ value: z.int().min(1).max(100_000).default(1), unit: z.enum(periodUnits) });
export type Period = z.output<typeof period>;

const columnEnum = (table: TableName) => z.enum(Object.keys(tableColumns[table]) as [string, ...string[]]);

const column = oneOf("a column of a table", [
  z.strictObject({ sleep: columnEnum("sleep") }),
  z.strictObject({ activity: columnEnum("activity") }),
  z.strictObject({ workout: columnEnum("workout") }),
  z.strictObject({ body: columnEnum("body") }),
  z.strictObject({ meal: columnEnum("meal") }),
  z.strictObject({ menstrual_cycle: columnEnum("menstrual_cycle") }),
  z.strictObject({ profile: columnEnum("profile") }),
  z.strictObject({ derived_readiness: columnEnum("derived_readiness") }),
]).meta({ id: "QueryColumn" });

const timeseries = z
  .strictObject({ timeseries: z.enum(timeseriesNames), field: z.string() })
  .refine(({ timeseries, field }) => timeseriesFieldNames(timeseries).includes(field), {
    path: ["field"],
    message: "Unknown field of this timeseries",
  });

const macro = z.strictObject({
  value_macro: z.enum(valueMacros),
  version: z.literal("automatic").default("automatic"),
});

const index = z.strictObject({ index: z.enum([...tableNames, "timeseries"]) });
const source = z.strictObject({ source: z.enum(sourceColumns) });

/** An expression with a value in each row. */
const value = oneOf("a column, a timeseries, a value macro or an index", [column, timeseries, macro, index]);

/**
 * A field of the objects in a list column, for example `{ menstrual_flow: "flow" }`; `field_for` may name the table.
 */
const listField = z
  .record(z.string().max(64), z.string().max(64))
  .refine((fields) => Object.keys(fields).length <= 2, "Name one list column, and optionally its table");

/** The elements of a list column of strings. */
const element = z.strictObject({ element: z.literal(true) });

/** Reduces a list column to one value: `{ select: { func, arg }, from: { unnest }, where }`. */
const subquery = z.strictObject({
  select: z.strictObject({ func: z.enum(functionNames), arg: z.union([element, listField]).nullish() }),
  from: z.strictObject({ unnest: oneOf("a column of lists", [column, timeseries]) }),
  where: z.string().max(2_000).nullish(),
});

const aggregate = z.strictObject({
  func: z.enum(functionNames),
  arg: oneOf("a column, a timeseries, a value macro, an index or a sub-query", [value, subquery]),
});

/** A group key by its zero-based index, or all of them. */
const groupKey = z.strictObject({ group_key: z.union([z.int().min(0).max(9), z.literal("*")]) });

export const selectItem = oneOf("an expression that can be selected", [aggregate, groupKey, value, subquery, source]);
export type SelectItem = z.output<typeof selectItem>;

const parts = [...periodUnits, "weekday", "week_of_year", "day_of_year"] as const;
const dateTrunc = z.strictObject({ date_trunc: period, arg: index });
const datePart = z.strictObject({ date_part: z.enum(parts), arg: index });

export const groupItem = oneOf("an expression that can be grouped by", [
  dateTrunc,
  datePart,
  column,
  timeseries,
  macro,
  source,
]);
export type GroupItem = z.output<typeof groupItem>;

const carry = z.discriminatedUnion("mode", [
  z.strictObject({ mode: z.literal("carry_forward"), max_age: period.nullish() }),
  z.strictObject({ mode: z.literal("carry_backward"), max_age: period.nullish() }),
  z.strictObject({ mode: z.literal("carry_nearest"), span: period.nullish() }),
]);

/** How empty time groups are filled. */
export const align = z.strictObject({ carry });
