import { textOf } from "../page/page-lines.ts";
import { readValue } from "../row/read-value.ts";
import type { Column, ColumnAssignment } from "./assign-columns.ts";
import { emptyProfile, hasBothBounds, isValueText, mayBeResultRow, profileColumns } from "./column-profile.ts";
import type { ColumnStep } from "./column-step.ts";
import { MAJORITY_SHARE, MINORITY_SHARE, NEARLY_ALL_SHARE } from "./column-step.ts";

/**
 * Selects one of several value columns that are filled in the same rows: a column with flags, else the best identified.
 */
export const selectValueColumn: ColumnStep = ({ columns, assigned }, lines) => {
  const values = columns.filter(({ kind }) => kind === "value");
  if (values.length < 2) return columns;
  const rows = assigned.filter((one, place) => mayBeResultRow(one, lines[place]));
  const countOf = (row: ColumnAssignment) => values.filter((column) => row.has(column)).length;
  const isBeside =
    rows.filter((row) => countOf(row) > 1).length > MINORITY_SHARE * rows.filter((row) => countOf(row) > 0).length;
  if (!isBeside) return columns;
  const flagged = (column: Column) => rows.filter((row) => readValue(textOf(row.get(column) ?? []))?.flag).length;
  const profiles = profileColumns(columns, assigned, lines);
  const agreed = (column: Column) => profiles[columns.indexOf(column)]?.flagAgreement ?? 0;
  const rank = (column: Column) => Math.sign(flagged(column)) * 2 + (column.isGuessed ? 0 : 1) + agreed(column);
  const chosen = values.reduce((best, next) => (rank(next) > rank(best) ? next : best));
  return columns.map((column) =>
    column.kind === "value" && column !== chosen ? { ...column, kind: "other", isUnknown: true } : column,
  );
};

/** Drops one of two range columns if the table has no value column: the column with fewer complete ranges. */
export const dropSecondRangeColumn: ColumnStep = ({ columns, assigned }, lines) => {
  const ranges = columns.filter(({ kind }) => kind === "range");
  if (ranges.length < 2 || columns.some(({ kind }) => kind === "value")) return columns;
  const profiles = profileColumns(columns, assigned, lines);
  const pairs = (column: Column) => (profiles[columns.indexOf(column)] ?? emptyProfile).share(hasBothBounds);
  const other = ranges.reduce((least, next) => (pairs(next) < pairs(least) ? next : least));
  return columns.map((column) => (column === other ? { ...column, kind: "other", isUnknown: true } : column));
};

/**
 * Marks value columns dated before the report as previous results, if an unidentified column may hold the current ones.
 */
export const demoteEarlierDateColumns: ColumnStep = ({ columns, assigned }, lines, { day }) => {
  const profiles = profileColumns(columns, assigned, lines);
  const isOpenValue = ({ isUnknown }: Column, place: number) => {
    const { share, isConstant, fillRate } = profiles[place] ?? emptyProfile;
    return isUnknown && !isConstant && fillRate > NEARLY_ALL_SHARE && share(isValueText) >= MAJORITY_SHARE;
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
export const reopenPreviousColumns: ColumnStep = ({ columns, assigned }, lines) => {
  const profiles = profileColumns(columns, assigned, lines);
  const chosen = profiles[columns.findIndex(({ kind }) => kind === "value")];
  if (!chosen) return columns;
  const isBetter = ({ kind }: Column, place: number) => {
    const { flagAgreement, fillRate, share } = profiles[place] ?? emptyProfile;
    if (kind !== "previous" || share(isValueText) < MAJORITY_SHARE) return false;
    return (
      flagAgreement > chosen.flagAgreement + MIN_AGREEMENT_LEAD ||
      (fillRate > NEARLY_ALL_SHARE && fillRate > chosen.fillRate + MIN_FILL_LEAD)
    );
  };
  return columns.some(isBetter)
    ? columns.map((column) =>
        column.kind === "previous" ? { ...column, kind: "other" as const, isUnknown: true } : column,
      )
    : columns;
};

const MIN_FILL_LEAD = 0.1;
const MIN_AGREEMENT_LEAD = 0.15;
