import type { AggregationQuery } from "../../../lib/domain/queries/aggregation-query.ts";
import type { Period } from "../../../lib/domain/queries/expressions/expressions.ts";
import { addPeriods, truncateToPeriod } from "./calendar.ts";
import type { Cell } from "./postfix-condition.ts";
import type { TimeSpan } from "./reference-rows.ts";

/** A group key with its aggregated values. */
export interface GroupAnswer {
  readonly keys: readonly Cell[];
  readonly bucket: number;
  readonly values: readonly Cell[];
}

type Align = NonNullable<AggregationQuery["align"]>;

/** The first and last bucket of the result: the observed ones, extended as far as the query carries values. */
function bucketRange(observed: TimeSpan, { carry }: Align): TimeSpan {
  if (carry.mode === "carry_nearest") {
    const { span } = carry;
    return span ? { from: addPeriods(observed.from, span, -1), to: addPeriods(observed.to, span) } : observed;
  }
  const { mode, max_age: reach } = carry;
  if (!reach) return observed;
  const isForward = mode === "carry_forward";
  return isForward
    ? { ...observed, to: addPeriods(observed.to, reach) }
    : { ...observed, from: addPeriods(observed.from, reach, -1) };
}

/** Lists the start of each bucket that lies in range and overlaps the timeframe. */
function listBuckets(timeframe: TimeSpan, reach: TimeSpan, period: Period): number[] {
  const buckets: number[] = [];
  for (
    let at = truncateToPeriod(timeframe.from, period);
    at < timeframe.to;
    at = truncateToPeriod(addPeriods(at, period), period)
  )
    if (at >= reach.from && at <= reach.to) buckets.push(at);
  return buckets;
}

/** Whether the distance of two buckets is within the maximum. */
const isWithinReach = (before: number, after: number, reach: Period | null | undefined) =>
  !reach || after <= addPeriods(before, reach);

/** The carried value of an empty bucket: the value of another bucket within reach. */
function carriedValue(at: number, column: number, inOrder: readonly GroupAnswer[], { carry }: Align): Cell {
  const known = inOrder.filter(({ values }) => (values[column] ?? null) !== null);
  const past = known.filter(({ bucket }) => bucket < at).at(-1);
  const next = known.find(({ bucket }) => bucket > at);
  const reach = carry.mode === "carry_nearest" ? carry.span : carry.max_age;
  const fromPast = past && isWithinReach(past.bucket, at, reach) ? past : undefined;
  const fromNext = next && isWithinReach(at, next.bucket, reach) ? next : undefined;
  const isPastNearer = fromPast && (!fromNext || at - fromPast.bucket <= fromNext.bucket - at);
  const nearest = isPastNearer ? fromPast : fromNext;
  const chosen = { carry_forward: fromPast, carry_backward: fromNext, carry_nearest: nearest }[carry.mode];
  return chosen?.values[column] ?? null;
}

/** Returns one row for each bucket in range and each combination of the other group keys. */
export function alignGroups(
  answers: readonly GroupAnswer[],
  align: Align,
  { timeframe, period, place }: { timeframe: TimeSpan; period: Period; place: number },
): GroupAnswer[] {
  const others = ({ keys }: GroupAnswer) => JSON.stringify(keys.filter((_, index) => index !== place));
  return [...Map.groupBy(answers, others).values()].flatMap((series) => {
    const inOrder = series.toSorted((a, b) => a.bucket - b.bucket);
    const [first, last] = [inOrder[0], inOrder.at(-1)];
    if (!first || !last) return [];
    const reach = bucketRange({ from: first.bucket, to: last.bucket }, align);
    return listBuckets(timeframe, reach, period).map((bucket) => {
      const own = inOrder.find((each) => each.bucket === bucket)?.values;
      const values = first.values.map((_, column) => own?.[column] ?? carriedValue(bucket, column, inOrder, align));
      return { keys: first.keys.with(place, bucket), bucket, values };
    });
  });
}
