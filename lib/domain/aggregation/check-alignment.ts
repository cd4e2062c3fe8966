import type { QueryProblem } from "./check-query.ts";
import type { Period } from "./expressions.ts";
import type { AggregationQuery } from "./query.ts";

const DAY = 1_440;
/** Length of each unit in minutes. Months and years use their mean length. */
const lengths = { minute: 1, hour: 60, day: DAY, week: 7 * DAY, month: 30.4375 * DAY, year: 365.25 * DAY } as const;
const length = ({ value, unit }: Period) => value * lengths[unit];

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
  const cap = reachOf(align);
  if (cap && length(cap) < length(truncated)) refuse("The carry limit is shorter than one group");
  return problems;
}

/** Maximum distance over which a value is carried; undefined when unlimited. */
export function reachOf({ carry }: NonNullable<AggregationQuery["align"]>): Period | undefined {
  return (carry.mode === "carry_nearest" ? carry.span : carry.max_age) ?? undefined;
}
