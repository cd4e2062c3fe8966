import type { AggregationQuery } from "../aggregation-query.ts";
import { maxCarryPeriod } from "../check-alignment.ts";
import type { Period } from "../expressions/expressions.ts";
import { addPeriod, truncate } from "../floating-time.ts";
import type { CellValue } from "../rows/rows.ts";
import { compareGroupKeys, groupRows } from "./group-rows.ts";

/** One row of a result: the group keys and the selected values. */
export interface ResultRow {
  readonly keys: readonly CellValue[];
  readonly values: readonly CellValue[];
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
    fillGroups(
      ofOne.flatMap((row) => rows[row] ?? []),
      alignment,
    ),
  );
  return filled.sort((a, b) => compareGroupKeys(a.keys, b.keys));
}

function fillGroups(rows: readonly ResultRow[], alignment: Alignment): ResultRow[] {
  const byTime = new Map(rows.map((row) => [Number(row.keys[alignment.time]), row]));
  const times = groupTimes([...byTime.keys()], alignment);
  const [pattern] = rows;
  if (!pattern) return [];
  const columns = pattern.values.map((_, column) =>
    carryValues(times, (time) => byTime.get(time)?.values[column] ?? null, alignment),
  );
  return times.map((time, row) => ({
    keys: pattern.keys.map((key, index) => (index === alignment.time ? time : key)),
    values: columns.map((column) => column[row] ?? null),
  }));
}

/** All time groups from the first to the last one with values, extended as far as values are carried. */
function groupTimes(known: readonly number[], { align, period, first, last }: Alignment): number[] {
  const group = truncate(period);
  // A group that starts before the carry limit gets no carried value.
  const ceiling = (time: number) => (group(time) < time ? group(addPeriod(group(time), period)) : time);
  const reach = maxCarryPeriod(align);
  const [earliest, latest] = [Math.min(...known), Math.max(...known)];
  const isBack = align.carry.mode !== "carry_forward";
  const isOn = align.carry.mode !== "carry_backward";
  const from =
    reach && isBack ? Math.min(earliest, Math.max(first, ceiling(addPeriod(earliest, reach, -1)))) : earliest;
  const to = reach && isOn ? Math.max(latest, Math.min(last, group(addPeriod(latest, reach)))) : latest;
  const times: number[] = [];
  for (let time = from; time <= to; time = group(addPeriod(time, period))) times.push(time);
  return times;
}

function carryValues(
  times: readonly number[],
  valueAt: (time: number) => CellValue,
  { align }: Alignment,
): CellValue[] {
  const values = times.map(valueAt);
  const reach = maxCarryPeriod(align);
  const isWithin = (from: number, to: number) => reach === undefined || addPeriod(from, reach) >= to;
  const before = lastValueIndexes(values);
  const after = lastValueIndexes(values.toReversed())
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
function lastValueIndexes(values: readonly CellValue[]): number[] {
  let last = -1;
  return values.map((value, index) => {
    if (value !== null) last = index;
    return last;
  });
}
