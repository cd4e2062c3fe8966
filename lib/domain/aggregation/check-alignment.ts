import type { QueryProblem } from "./check-query.ts";
import type { Period } from "./expressions.ts";
import type { AggregationQuery } from "./query.ts";

const DAY = 1_440;
/** Minutes; months and years in the mean. */
const lengths = { minute: 1, hour: 60, day: DAY, week: 7 * DAY, month: 30.4375 * DAY, year: 365.25 * DAY } as const;
const length = ({ value, unit }: Period) => value * lengths[unit];

/** What is wrong with how a query fills empty groups. */
export function checkAlignment({ align, group_by, select }: AggregationQuery): QueryProblem[] {
  if (!align) return [];
  const groups = group_by ?? [];
  const [truncated] = groups.flatMap((item) => ("date_trunc" in item ? [item.date_trunc] : []));
  if (!truncated) return [{ path: ["align"], message: "Only groups of a date_trunc can be filled" }];
  const problems: QueryProblem[] = [];
  const refuse = (message: string) => problems.push({ path: ["align"], message });
  const selected = select.flatMap((item) => ("group_key" in item ? [item.group_key] : []));
  if (!selected.includes("*") && groups.some((_, index) => !selected.includes(index)))
    refuse("Groups can be filled where every group key is selected");
  if (groups.some((item) => "date_part" in item)) refuse("Groups of a date_part can not be filled");
  const cap = reachOf(align);
  if (cap && length(cap) < length(truncated)) refuse("The reach is shorter than a group");
  return problems;
}

/** How far a value is carried at most; undefined where there is no limit. */
export function reachOf({ carry }: NonNullable<AggregationQuery["align"]>): Period | undefined {
  return (carry.mode === "carry_nearest" ? carry.span : carry.max_age) ?? undefined;
}
