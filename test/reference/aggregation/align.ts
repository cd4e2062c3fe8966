import type { Period } from "../../../lib/domain/aggregation/expressions.ts";
import type { AggregationQuery } from "../../../lib/domain/aggregation/query.ts";
import { later, truncated } from "./calendar.ts";
import type { Span } from "./rows.ts";
import type { Cell } from "./where.ts";

/** A group key with its aggregated values. */
export interface Answer {
  readonly keys: readonly Cell[];
  readonly bucket: number;
  readonly values: readonly Cell[];
}

type Align = NonNullable<AggregationQuery["align"]>;

/** The first and last bucket of the result: the observed ones, extended as far as the query carries values. */
function reachOf(observed: Span, { carry }: Align): Span {
  if (carry.mode === "carry_nearest") {
    const { span } = carry;
    return span ? { from: later(observed.from, span, -1), to: later(observed.to, span) } : observed;
  }
  const { mode, max_age: reach } = carry;
  if (!reach) return observed;
  const isForward = mode === "carry_forward";
  return isForward
    ? { ...observed, to: later(observed.to, reach) }
    : { ...observed, from: later(observed.from, reach, -1) };
}

/** Lists the start of each bucket that lies in range and overlaps the timeframe. */
function bucketsOf(timeframe: Span, reach: Span, period: Period): number[] {
  const buckets: number[] = [];
  for (let at = truncated(timeframe.from, period); at < timeframe.to; at = truncated(later(at, period), period))
    if (at >= reach.from && at <= reach.to) buckets.push(at);
  return buckets;
}

/** Whether the distance of two buckets is within the maximum. */
const isNear = (before: number, after: number, reach: Period | null | undefined) =>
  !reach || after <= later(before, reach);

/** The carried value of an empty bucket: the value of another bucket within reach. */
function carried(at: number, column: number, inOrder: readonly Answer[], { carry }: Align): Cell {
  const known = inOrder.filter(({ values }) => (values[column] ?? null) !== null);
  const past = known.filter(({ bucket }) => bucket < at).at(-1);
  const next = known.find(({ bucket }) => bucket > at);
  const reach = carry.mode === "carry_nearest" ? carry.span : carry.max_age;
  const fromPast = past && isNear(past.bucket, at, reach) ? past : undefined;
  const fromNext = next && isNear(at, next.bucket, reach) ? next : undefined;
  const isPastNearer = fromPast && (!fromNext || at - fromPast.bucket <= fromNext.bucket - at);
  const nearest = isPastNearer ? fromPast : fromNext;
  const chosen = { carry_forward: fromPast, carry_backward: fromNext, carry_nearest: nearest }[carry.mode];
  return chosen?.values[column] ?? null;
}

/** Returns one row for each bucket in range and each combination of the other group keys. */
export function aligned(
  answers: readonly Answer[],
  align: Align,
  { timeframe, period, place }: { timeframe: Span; period: Period; place: number },
): Answer[] {
  const others = ({ keys }: Answer) => JSON.stringify(keys.filter((_, index) => index !== place));
  return [...Map.groupBy(answers, others).values()].flatMap((series) => {
    const inOrder = series.toSorted((a, b) => a.bucket - b.bucket);
    const [first, last] = [inOrder[0], inOrder.at(-1)];
    if (!first || !last) return [];
    const reach = reachOf({ from: first.bucket, to: last.bucket }, align);
    return bucketsOf(timeframe, reach, period).map((bucket) => {
      const own = inOrder.find((each) => each.bucket === bucket)?.values;
      const values = first.values.map((_, column) => own?.[column] ?? carried(bucket, column, inOrder, align));
      return { keys: first.keys.with(place, bucket), bucket, values };
    });
  });
}
