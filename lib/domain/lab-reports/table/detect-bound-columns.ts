import { textOf } from "../page/page-lines.ts";
import { readValue } from "../row/read-value.ts";
import type { Column, ColumnAssignment } from "./assign-columns.ts";
import { mayBeResultRow } from "./column-profile.ts";
import type { ColumnStep } from "./column-step.ts";
import { HALF_SHARE } from "./column-step.ts";

/**
 * Detects two numeric columns that are the bounds of reference ranges. The first is always below the second, and the
 * numbers of a third column lie between them.
 */
export const detectBoundColumns: ColumnStep = ({ columns, assigned }, lines) => {
  if (columns.some(({ kind }) => kind === "range" || kind === "low" || kind === "high")) return columns;
  const rows = assigned.filter((one, place) => mayBeResultRow(one, lines[place]));
  const numberIn = (row: ColumnAssignment, column: Column) => {
    const value = readValue(textOf(row.get(column) ?? []));
    return value?.kind === "number" && value.comparator === null ? value.number : null;
  };
  const open = columns.filter(({ isUnknown }) => isUnknown);
  const pairs = open.slice(1).map((high, place) => [open[place] ?? high, high] as const);
  const isPair = ([low, high]: readonly [Column, Column]) => {
    const both = rows.flatMap((row) => {
      const [from, to] = [numberIn(row, low), numberIn(row, high)];
      return from !== null && to !== null ? [{ row, from, to }] : [];
    });
    const isWithin = (column: Column) => {
      const own = both.flatMap(({ row, from, to }) => {
        const number = numberIn(row, column);
        return number === null ? [] : [number >= from && number <= to];
      });
      return own.length >= MIN_BOUND_ROWS && own.filter(Boolean).length >= own.length * HALF_SHARE;
    };
    const others = open.filter((column) => column !== low && column !== high);
    return both.length >= MIN_BOUND_ROWS && both.every(({ from, to }) => from < to) && others.some(isWithin);
  };
  const [low, high] = pairs.find(isPair) ?? [];
  if (!low) return columns;
  return columns.map((column) =>
    column === low || column === high
      ? { ...column, kind: column === low ? ("low" as const) : ("high" as const), isUnknown: false }
      : column,
  );
};

const MIN_BOUND_ROWS = 4;
