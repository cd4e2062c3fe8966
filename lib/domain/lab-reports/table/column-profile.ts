import { startsWithHeaderLabel } from "../page/header-labels.ts";
import { type Line, textOf } from "../page/page-lines.ts";
import { readDate } from "../page/report-dates.ts";
import { isFlagSign } from "../row/flag-signs.ts";
import { positionOf } from "../row/interpret-row.ts";
import { startsWithPopulation } from "../row/population-ranges.ts";
import { flagMeaning } from "../row/read-flag.ts";
import { isRange, readRange } from "../row/read-range.ts";
import { isQualitativeResult, readValue } from "../row/read-value.ts";
import { isUnit } from "../row/report-units.ts";
import { splitUnitAndRange } from "../row/split-unit-and-range.ts";
import { isSentence } from "../row/unread-texts.ts";
import type { Column, ColumnAssignment } from "./assign-columns.ts";
import { MIN_TEXTS } from "./column-step.ts";

export interface ColumnProfile {
  readonly texts: readonly string[];
  readonly share: (is: (text: string) => boolean) => number;
  /** Share of the rows in which the column is filled. */
  readonly fillRate: number;
  readonly isConstant: boolean;
  /** Agreement of the flags with the position of the numbers in their ranges: -1 to 1, and 0 without flags. */
  readonly flagAgreement: number;
}

export const emptyProfile: ColumnProfile = {
  texts: [],
  share: () => 0,
  fillRate: 0,
  isConstant: false,
  flagAgreement: 0,
};

export function profileColumns(
  columns: readonly Column[],
  assigned: readonly ColumnAssignment[],
  lines: readonly Line[],
): ColumnProfile[] {
  const rows = assigned.filter((one, place) => mayBeResultRow(one, lines[place]));
  return columns.map((column) => {
    const texts = rows.flatMap((row) => (row.has(column) ? [textOf(row.get(column) ?? [])] : []));
    return {
      texts,
      share: (is) => (texts.length === 0 ? 0 : texts.filter(is).length / texts.length),
      fillRate: texts.length / Math.max(1, rows.length),
      isConstant: texts.length > MIN_TEXTS && new Set(texts).size === 1,
      flagAgreement: flagAgreementOf(column, columns, rows),
    };
  });
}

/** Agreement of a column's numbers with the flags and the ranges of their rows: -1 to 1, and 0 without flags. */
function flagAgreementOf(column: Column, columns: readonly Column[], rows: readonly ColumnAssignment[]): number {
  const seen = rows.flatMap((row) => {
    const text = (one: Column) => textOf(row.get(one) ?? []);
    const value = readValue(text(column));
    const others = columns.filter((one) => one !== column && row.has(one)).map(text);
    const range = others
      .filter((other) => isRangeText(other) && !isNumericText(other))
      .map((other) => readRange(splitUnitAndRange(other)?.range ?? other))[0];
    if (value?.kind !== "number" || value.number === null || !range) return [];
    const position = positionOf({ value, range });
    const isOutside = position?.isAbove === true || position?.isBelow === true;
    return [{ isOutside, isFlagged: value.flag !== null || others.some(isFlagText) }];
  });
  if (!seen.some(({ isFlagged }) => isFlagged)) return 0;
  return (2 * seen.filter(({ isOutside, isFlagged }) => isOutside === isFlagged).length) / seen.length - 1;
}

/** Reports whether the assigned words of a line may be a result row. */
export function mayBeResultRow(assigned: ColumnAssignment, line: Line | undefined): boolean {
  if (
    !line ||
    assigned.size < 2 ||
    (line.cells.length < 3 && isSentence(line.text)) ||
    startsWithHeaderLabel(line.text)
  )
    return false;
  return [...assigned].some(([, words]) => {
    const value = readValue(textOf(words));
    return value !== null && (value.kind !== "words" || isQualitativeResult(value.value));
  });
}

const isNumericText = (text: string) => {
  const kind = readValue(text)?.kind;
  return kind !== undefined && kind !== "words";
};

export const isValueText = (text: string) => isNumericText(text) || isQualitativeResult(text);

export const isFlagText = (text: string) => flagMeaning(text) !== undefined || isFlagSign(text);

export const hasBothBounds = (text: string) => {
  const { min, max } = readRange(splitUnitAndRange(text)?.range ?? text);
  return min !== null && max !== null;
};

export const isRangeText = (text: string) =>
  readDate(text) === null &&
  (isRange(text) || (startsWithPopulation(text) && /\d/.test(text)) || splitUnitAndRange(text) !== null);

export const isNameText = (text: string) =>
  /\p{L}{2}/u.test(text) && !isUnit(text) && !isValueText(text) && readDate(text) === null;
