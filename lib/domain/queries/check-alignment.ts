import type { AggregationQuery } from "./aggregation-query.ts";
import type { Period } from "./expressions/expressions.ts";
import type { QueryProblem } from "./query-problem.ts";

const DAY_MINUTES = 1_440;
/** Length of each unit in minutes. Months and years use their mean length. */
const unitMinutes = {
  minute: 1,
  hour: 60,
  day: DAY_MINUTES,
  week: 7 * DAY_MINUTES,
  month: 30.4375 * DAY_MINUTES,
  year: 365.25 * DAY_MINUTES,
} as const;
const periodMinutes = ({ value, unit }: Period) => value * unitMinutes[unit];

/** Checks the `align` clause of a query. Returns the problems found. */
export function checkAlignment({ align, group_by, select }: AggregationQuery): QueryProblem[] {
  if (!align) return [];
  const groups = group_by ?? [];
  const [truncated] = groups.flatMap((item) => ("date_trunc" in item ? [item.date_trunc] : []));
  if (!truncated) return [{ path: ["align"], message: "align requires a date_trunc in group_by" }];
  const problems: QueryProblem[] = [];
  const refuse = (message: string) => problems.push({ path: ["align"], message });
  const selected = select.flatMap((item) => ("group_key" in item ? [item.group_key] : []));
  if (!selected.includes("*") && groups.some((_, index) => !selected.includes(index)))
    refuse("align requires every group key in select");
  if (groups.some((item) => "date_part" in item)) refuse("align does not support date_part groups");
  const cap = maxCarryPeriod(align);
  if (cap && periodMinutes(cap) < periodMinutes(truncated)) refuse("The carry limit is shorter than one group");
  return problems;
}

/** Maximum distance over which a value is carried; undefined when unlimited. */
export function maxCarryPeriod({ carry }: NonNullable<AggregationQuery["align"]>): Period | undefined {
  return (carry.mode === "carry_nearest" ? carry.span : carry.max_age) ?? undefined;
}
