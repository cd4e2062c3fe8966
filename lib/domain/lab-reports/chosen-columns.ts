import type { Assigned, Column } from "./assign-columns.ts";
import { isPair, isRowLike, isValueText, nothing, profilesOf } from "./column-profiles.ts";
import type { Step } from "./column-step.ts";
import { MOST, NEARLY_ALL, SOME } from "./column-step.ts";
import { textOf } from "./page-lines.ts";
import { readValue } from "./read-value.ts";

/**
 * Selects one of several value columns that are filled in the same rows: a column with flags, else the best identified.
 */
export const withOneValue: Step = ({ columns, assigned }, lines) => {
  const values = columns.filter(({ kind }) => kind === "value");
  if (values.length < 2) return columns;
  const rows = assigned.filter((one, place) => isRowLike(one, lines[place]));
  const countOf = (row: Assigned) => values.filter((column) => row.has(column)).length;
  const isBeside = rows.filter((row) => countOf(row) > 1).length > SOME * rows.filter((row) => countOf(row) > 0).length;
  if (!isBeside) return columns;
  const flagged = (column: Column) => rows.filter((row) => readValue(textOf(row.get(column) ?? []))?.flag).length;
  const profiles = profilesOf(columns, assigned, lines);
  const agreed = (column: Column) => profiles[columns.indexOf(column)]?.flagged ?? 0;
  const rank = (column: Column) => Math.sign(flagged(column)) * 2 + (column.isGuessed ? 0 : 1) + agreed(column);
  const chosen = values.reduce((best, next) => (rank(next) > rank(best) ? next : best));
  return columns.map((column) =>
    column.kind === "value" && column !== chosen ? { ...column, kind: "other", isUnknown: true } : column,
  );
};

/** Drops one of two range columns if the table has no value column: the column with fewer complete ranges. */
export const withoutSecondRange: Step = ({ columns, assigned }, lines) => {
  const ranges = columns.filter(({ kind }) => kind === "range");
  if (ranges.length < 2 || columns.some(({ kind }) => kind === "value")) return columns;
  const profiles = profilesOf(columns, assigned, lines);
  const pairs = (column: Column) => (profiles[columns.indexOf(column)] ?? nothing).share(isPair);
  const other = ranges.reduce((least, next) => (pairs(next) < pairs(least) ? next : least));
  return columns.map((column) => (column === other ? { ...column, kind: "other", isUnknown: true } : column));
};

/**
 * Marks value columns dated before the report as previous results, if an unidentified column may hold the current ones.
 */
export const withoutEarlierDays: Step = ({ columns, assigned }, lines, { day }) => {
  const profiles = profilesOf(columns, assigned, lines);
  const isOpenValue = ({ isUnknown }: Column, place: number) => {
    const { share, isConstant, fill } = profiles[place] ?? nothing;
    return isUnknown && !isConstant && fill > NEARLY_ALL && share(isValueText) >= MOST;
  };
  if (!day || !columns.some(isOpenValue)) return columns;
  const isEarlier = ({ kind, date }: Column) => kind === "value" && date && date < day.slice(0, 10);
  return columns.some(isEarlier)
    ? columns.map((column) => (isEarlier(column) ? { ...column, kind: "previous" as const } : column))
    : columns;
};

/**
 * Reopens columns of previous results that agree better with flags and ranges, or have fewer gaps, than the value
 * column. Content then decides their kind.
 */
export const withDoubtfulDays: Step = ({ columns, assigned }, lines) => {
  const profiles = profilesOf(columns, assigned, lines);
  const chosen = profiles[columns.findIndex(({ kind }) => kind === "value")];
  if (!chosen) return columns;
  const isBetter = ({ kind }: Column, place: number) => {
    const { flagged, fill, share } = profiles[place] ?? nothing;
    if (kind !== "previous" || share(isValueText) < MOST) return false;
    return flagged > chosen.flagged + CLEARLY || (fill > NEARLY_ALL && fill > chosen.fill + LACKING);
  };
  return columns.some(isBetter)
    ? columns.map((column) =>
        column.kind === "previous" ? { ...column, kind: "other" as const, isUnknown: true } : column,
      )
    : columns;
};

const LACKING = 0.1;
const CLEARLY = 0.15;
