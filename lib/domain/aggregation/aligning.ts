import { reachOf } from "./check-alignment.ts";
import type { Period } from "./expressions.ts";
import { later, truncate } from "./floating-time.ts";
import { compareKeys, groupRows } from "./grouping.ts";
import type { AggregationQuery } from "./query.ts";
import type { Value } from "./rows.ts";

/** One row of a result: the group keys and the selected values. */
export interface ResultRow {
  readonly keys: readonly Value[];
  readonly values: readonly Value[];
}

/** How empty time groups are filled. */
export interface Alignment {
  readonly align: NonNullable<AggregationQuery["align"]>;
  readonly period: Period;
  /** Index of the time among the group keys. */
  readonly time: number;
  /** First and last group that may be added, floating time. Existing groups stay. */
  readonly first: number;
  readonly last: number;
}

/**
 * Adds missing time groups and carries values into empty ones, separately for each combination of the other group keys.
 */
export function alignRows(rows: readonly ResultRow[], alignment: Alignment): ResultRow[] {
  const others = (row: number) => JSON.stringify(rows[row]?.keys.filter((_, index) => index !== alignment.time));
  const apart = groupRows(rows.keys(), [others]);
  const filled = apart.flatMap(({ rows: ofOne }) =>
    fill(
      ofOne.flatMap((row) => rows[row] ?? []),
      alignment,
    ),
  );
  return filled.sort((a, b) => compareKeys(a.keys, b.keys));
}

function fill(rows: readonly ResultRow[], alignment: Alignment): ResultRow[] {
  const byTime = new Map(rows.map((row) => [Number(row.keys[alignment.time]), row]));
  const times = spine([...byTime.keys()], alignment);
  const [pattern] = rows;
  if (!pattern) return [];
  const columns = pattern.values.map((_, column) =>
    carried(times, (time) => byTime.get(time)?.values[column] ?? null, alignment),
  );
  return times.map((time, row) => ({
    keys: pattern.keys.map((key, index) => (index === alignment.time ? time : key)),
    values: columns.map((column) => column[row] ?? null),
  }));
}

/** All time groups from the first to the last one with values, extended as far as values are carried. */
function spine(known: readonly number[], { align, period, first, last }: Alignment): number[] {
  const group = truncate(period);
  // A group that starts before the carry limit gets no carried value.
  const ceiling = (time: number) => (group(time) < time ? group(later(group(time), period)) : time);
  const reach = reachOf(align);
  const [earliest, latest] = [Math.min(...known), Math.max(...known)];
  const isBack = align.carry.mode !== "carry_forward";
  const isOn = align.carry.mode !== "carry_backward";
  const from = reach && isBack ? Math.min(earliest, Math.max(first, ceiling(later(earliest, reach, -1)))) : earliest;
  const to = reach && isOn ? Math.max(latest, Math.min(last, group(later(latest, reach)))) : latest;
  const times: number[] = [];
  for (let time = from; time <= to; time = group(later(time, period))) times.push(time);
  return times;
}

function carried(times: readonly number[], valueAt: (time: number) => Value, { align }: Alignment): Value[] {
  const values = times.map(valueAt);
  const reach = reachOf(align);
  const isWithin = (from: number, to: number) => reach === undefined || later(from, reach) >= to;
  const before = lastFilled(values);
  const after = lastFilled(values.toReversed())
    .map((place) => (place < 0 ? -1 : values.length - 1 - place))
    .reverse();
  return values.map((value, index) => {
    if (value !== null) return value;
    const [time, past, next] = [times[index] ?? 0, before[index] ?? -1, after[index] ?? -1];
    const [pastTime, nextTime] = [times[past] ?? 0, times[next] ?? 0];
    const canPast = align.carry.mode !== "carry_backward" && past >= 0 && isWithin(pastTime, time);
    const canNext = align.carry.mode !== "carry_forward" && next >= 0 && isWithin(time, nextTime);
    if (canPast && (!canNext || time - pastTime <= nextTime - time)) return values[past] ?? null;
    return canNext ? (values[next] ?? null) : null;
  });
}

/** For each index, the last index up to it that has a value; -1 when none has. */
function lastFilled(values: readonly Value[]): number[] {
  let last = -1;
  return values.map((value, index) => {
    if (value !== null) last = index;
    return last;
  });
}
