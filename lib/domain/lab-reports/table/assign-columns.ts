import { type Cell, characterWidth, hasCellGap, type Line, median, rightOf, toCell } from "../page/page-lines.ts";
import type { ReportWord } from "../page/report-page.ts";
import { isFlagSign } from "../row/flag-signs.ts";
import { flagMeaning } from "../row/read-flag.ts";
import { isRange } from "../row/read-range.ts";
import { isQualitativeResult, isUnambiguousResult, isValue } from "../row/read-value.ts";
import { isUnit } from "../row/report-units.ts";
import type { ColumnHeading } from "./column-heading.ts";
import type { ColumnKind } from "./heading-phrases.ts";

/** A column of a table with the extent of its heading and of its contents. */
export interface Column extends ColumnHeading {
  readonly textLeft: number;
  readonly textRight: number;
}

/** The words of one line, grouped by column. */
export type ColumnAssignment = ReadonlyMap<Column, readonly ReportWord[]>;

/** Initial cost of a column. A line's assignment minimises the sum of the costs of its words. */
const INITIAL_COST = 40;
/** Costs of putting adjacent words into different columns, and of putting words across a cell gap into one column. */
const SPLIT_COST = 2.5;
const ALIGNED_SPLIT_COST = 0.6;
const GAP_COST = 1.8;
const DISTANCE_COST_PER_CHARACTER = 0.35;
const OVERHANG_COST = 0.2;
const MAX_OVERHANG_WORDS = 4;
/** Added cost of a column whose kind is unknown. */
const UNKNOWN_COLUMN_COST = 0.4;

/**
 * Assigns each word of a line to a column, left to right, at the least total cost of position and content (Viterbi).
 */
export function assignColumns(line: Line, columns: readonly Column[]): ColumnAssignment {
  let costs = columns.map(() => 0);
  const steps: number[][] = [];
  const cells = new Map(line.cells.flatMap((cell) => cell.words.map((word) => [word, cell] as const)));
  const hasUnits = columns.some(({ kind }) => kind === "units");
  for (const [place, word] of line.words.entries()) {
    const before = line.words[place - 1];
    const from = before
      ? cheapestPredecessors(costs, columns, word, hasCellGap(before, word))
      : columns.map((_, column) => ({ column, cost: 0 }));
    steps.push(from.map(({ column }) => column));
    const cell = cells.get(word) ?? toCell([word]);
    costs = columns.map((column, index) => {
      const next = columns[index + 1];
      return (from[index]?.cost ?? INITIAL_COST) + costOf(word, cell, column, next, hasUnits);
    });
  }
  return backtrack(line, columns, costs, steps);
}

interface PathStep {
  readonly column: number;
  readonly cost: number;
}

/** The cheapest predecessor of each column: the column itself, or the cheapest column left of it. */
function cheapestPredecessors(
  costs: readonly number[],
  columns: readonly Column[],
  word: ReportWord,
  isApartFromLast: boolean,
): PathStep[] {
  let before: PathStep | undefined;
  return columns.map(({ textLeft }, column) => {
    const isAligned = Math.abs(word.left - textLeft) < 0.3 * characterWidth(word);
    const own = costs[column] ?? INITIAL_COST;
    const stay = { column, cost: own + (isApartFromLast ? GAP_COST : 0) };
    const split = isApartFromLast ? 0 : isAligned ? ALIGNED_SPLIT_COST : SPLIT_COST;
    const isStay = before === undefined || stay.cost < before.cost + split;
    const step = isStay || !before ? stay : { column: before.column, cost: before.cost + split };
    if (!before || own < before.cost) before = { column, cost: own };
    return step;
  });
}

function backtrack(
  line: Line,
  columns: readonly Column[],
  costs: readonly number[],
  steps: number[][],
): ColumnAssignment {
  const assigned = new Map<Column, ReportWord[]>();
  let at = costs.indexOf(Math.min(...costs));
  for (let place = line.words.length - 1; place >= 0; place--) {
    const [word, column] = [line.words[place], columns[at]];
    if (word && column) assigned.set(column, [word, ...(assigned.get(column) ?? [])]);
    at = steps[place]?.[at] ?? at;
  }
  return assigned;
}

function costOf(word: ReportWord, cell: Cell, column: Column, next: Column | undefined, hasUnits: boolean): number {
  const own = distance(word, column, next);
  // A text that overhangs its column belongs to the column as a whole.
  const whole =
    cell.words.length <= MAX_OVERHANG_WORDS
      ? distance({ ...word, ...cell, width: cell.right - cell.left }, column, next)
      : own;
  return (
    Math.min(own, whole + OVERHANG_COST) +
    (column.isUnknown ? UNKNOWN_COLUMN_COST : contentCost(word.text, column.kind, hasUnits))
  );
}

/** Distance of a word from a column, as a cost per character width. A name may extend up to the next column. */
function distance(word: ReportWord, column: Column, next: Column | undefined): number {
  const right = column.kind === "name" && next ? Math.max(column.textRight, next.textLeft - 1) : column.textRight;
  const away = Math.max(column.textLeft - rightOf(word), word.left - right, 0);
  const center = word.left + word.width / 2;
  const aside = Math.max(column.textLeft - center, center - right, 0);
  return DISTANCE_COST_PER_CHARACTER * ((away + aside * 0.5) / Math.max(1, characterWidth(word)));
}

const isNumber = (text: string) => /^[<>≤≥=]*[-+]?[\d,]*\.?\d+[HLAC*]*$/.test(text);

/** Trailing words of units. */
const UNIT_SUFFIX = /^\(?(?:FEU|DDU|creat\w*|WBCs?|calc\w*|m2|m²)\.?\)?$/i;

/** The cost of a text in a column of this kind, by the mismatch of its content. */
function contentCost(text: string, kind: ColumnKind, hasUnits: boolean): number {
  switch (kind) {
    case "value":
      if (isNumber(text) || /^(?:<|>|<=|>=|≤|≥)$/.test(text)) return 0;
      if (flagMeaning(text) || isQualitativeResult(text) || isValue(text)) return 0.3;
      if (isUnit(text) || UNIT_SUFFIX.test(text)) return hasUnits ? 1.5 : 0.2;
      return isRange(text) ? 0.6 : 1.2;
    case "flag":
      return flagMeaning(text) || isFlagSign(text) ? 0 : 4;
    case "units":
      return isUnit(text) ? 0 : isNumber(text) || isRange(text) ? 4 : 1.5;
    case "range":
      return isNumber(text) || isRange(text) || /^(?:[-–—<>≤≥=()[\]]+|to|or)$/i.test(text)
        ? 0
        : flagMeaning(text)
          ? 1.5
          : 0.5;
    case "low":
    case "high":
      return isNumber(text) ? 0 : 2;
    case "name":
      return isUnambiguousResult(text) ? 1 : /\p{L}/u.test(text) ? 0 : 0.8;
    case "previous":
    case "dated":
      return isNumber(text) || /^\d+[/-]/.test(text) ? 0.1 : 0.4;
    case "other":
      return /^(?:\d{2}|[A-Z]{2,3}|\d{1,5}-\d|F|final)$/i.test(text) ? 0 : 1.5;
  }
}

/** Columns with the extents of their headings, before the contents are known. */
export const columnsFromHeadings = (headings: readonly ColumnHeading[]): Column[] =>
  headings.map((heading) => ({ ...heading, textLeft: heading.left, textRight: heading.right }));

/** Widens columns to the median extent of their contents. */
export function fitColumnWidths(columns: readonly Column[], lines: readonly ColumnAssignment[]): Column[] {
  return columns.map((column) => {
    const texts = lines.flatMap((assigned) => {
      const words = assigned.get(column);
      return words ? [{ left: words[0]?.left ?? 0, right: Math.max(...words.map(rightOf)) }] : [];
    });
    if (texts.length < 3) return column;
    const textLeft = Math.min(column.left, median(texts.map(({ left }) => left)));
    const textRight = Math.max(column.right, median(texts.map(({ right }) => right)));
    return { ...column, textLeft, textRight };
  });
}
