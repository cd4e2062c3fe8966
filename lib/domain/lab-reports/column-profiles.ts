import type { Assigned, Column } from "./assign-columns.ts";
import { FEWEST } from "./column-step.ts";
import { isFlagSign } from "./flag-signs.ts";
import { isSentence } from "./left-over.ts";
import { type Line, textOf } from "./page-lines.ts";
import { isGroup } from "./range-groups.ts";
import { flagMeaning } from "./read-flag.ts";
import { isRange, readRange } from "./read-range.ts";
import { isResultWords, readValue } from "./read-value.ts";
import { readDate } from "./report-dates.ts";
import { isLabelled } from "./report-labels.ts";
import { isUnit } from "./report-units.ts";
import { unitBefore } from "./unit-before.ts";

export interface Profile {
  readonly texts: readonly string[];
  readonly share: (is: (text: string) => boolean) => number;
  /** Share of the rows in which the column is filled. */
  readonly fill: number;
  readonly isConstant: boolean;
  /** Agreement of the flags with the position of the numbers in their ranges: -1 to 1, and 0 without flags. */
  readonly flagged: number;
}

export const nothing: Profile = { texts: [], share: () => 0, fill: 0, isConstant: false, flagged: 0 };

export function profilesOf(
  columns: readonly Column[],
  assigned: readonly Assigned[],
  lines: readonly Line[],
): Profile[] {
  const rows = assigned.filter((one, place) => isRowLike(one, lines[place]));
  return columns.map((column) => {
    const texts = rows.flatMap((row) => (row.has(column) ? [textOf(row.get(column) ?? [])] : []));
    return {
      texts,
      share: (is) => (texts.length === 0 ? 0 : texts.filter(is).length / texts.length),
      fill: texts.length / Math.max(1, rows.length),
      isConstant: texts.length > FEWEST && new Set(texts).size === 1,
      flagged: agreementOf(column, columns, rows),
    };
  });
}

/** Agreement of a column's numbers with the flags and the ranges of their rows: -1 to 1, and 0 without flags. */
function agreementOf(column: Column, columns: readonly Column[], rows: readonly Assigned[]): number {
  const seen = rows.flatMap((row) => {
    const text = (one: Column) => textOf(row.get(one) ?? []);
    const value = readValue(text(column));
    const others = columns.filter((one) => one !== column && row.has(one)).map(text);
    const range = others
      .filter((other) => isRangeText(other) && !isNumber(other))
      .map((other) => readRange(unitBefore(other)?.range ?? other))[0];
    if (value?.kind !== "number" || value.number === null || !range) return [];
    const isOutside =
      (range.min !== null && value.number < range.min) || (range.max !== null && value.number > range.max);
    return [{ isOutside, isFlagged: value.flag !== null || others.some(isFlag) }];
  });
  if (!seen.some(({ isFlagged }) => isFlagged)) return 0;
  return (2 * seen.filter(({ isOutside, isFlagged }) => isOutside === isFlagged).length) / seen.length - 1;
}

/** Reports whether the assigned words of a line may be a result row. */
export function isRowLike(assigned: Assigned, line: Line | undefined): boolean {
  if (!line || assigned.size < 2 || (line.cells.length < 3 && isSentence(line.text)) || isLabelled(line.text))
    return false;
  return [...assigned].some(([, words]) => {
    const value = readValue(textOf(words));
    return value !== null && (value.kind !== "words" || isResultWords(value.value));
  });
}

export const isNumber = (text: string) => {
  const kind = readValue(text)?.kind;
  return kind !== undefined && kind !== "words";
};

export const isValueText = (text: string) => isNumber(text) || isResultWords(text);

export const isFlag = (text: string) => flagMeaning(text) !== undefined || isFlagSign(text);

export const isPair = (text: string) => {
  const { min, max } = readRange(unitBefore(text)?.range ?? text);
  return min !== null && max !== null;
};

export const isRangeText = (text: string) =>
  readDate(text) === null && (isRange(text) || (isGroup(text) && /\d/.test(text)) || unitBefore(text) !== null);

export const isWords = (text: string) =>
  /\p{L}{2}/u.test(text) && !isUnit(text) && !isValueText(text) && readDate(text) === null;
