import type { Assigned, Column } from "./assign-columns.ts";
import { isPair, isRowLike, isValueText, nothing, profilesOf } from "./column-profiles.ts";
import type { Step } from "./column-step.ts";
import { MOST, NEARLY_ALL, SOME } from "./column-step.ts";
import { textOf } from "./page-lines.ts";
import { readValue } from "./read-value.ts";

/** Of several columns of values in which rows have something beside each other, one: that is flagged, or that is told best. */
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

/** Of two columns of ranges beside no values the one that has fewer of them. */
export const withoutSecondRange: Step = ({ columns, assigned }, lines) => {
  const ranges = columns.filter(({ kind }) => kind === "range");
  if (ranges.length < 2 || columns.some(({ kind }) => kind === "value")) return columns;
  const profiles = profilesOf(columns, assigned, lines);
  const pairs = (column: Column) => (profiles[columns.indexOf(column)] ?? nothing).share(isPair);
  const other = ranges.reduce((least, next) => (pairs(next) < pairs(least) ? next : least));
  return columns.map((column) => (column === other ? { ...column, kind: "other", isUnknown: true } : column));
};

/** Columns below a day before that of the report, where another column may hold its results. */
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

/** Columns of earlier results that go better with flags and ranges than those of the results, or that have fewer gaps, as such nobody knows. */
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
