import { type Cell, type Line, toCell } from "../page/page-lines.ts";
import { readDate } from "../page/report-dates.ts";
import { isRange } from "../row/read-range.ts";
import { isUnambiguousResult, isValue, readValue } from "../row/read-value.ts";
import { isUnit } from "../row/report-units.ts";
import { type ColumnHeading, columnKindByPhrase, readHeadingPhrases } from "./column-heading.ts";
import { columnKindByKeyword } from "./heading-keywords.ts";
import type { ColumnKind } from "./heading-phrases.ts";

const MAX_HEADING_WORDS = 5;
const MIN_CELLS = 3;
const MIN_KINDS = 2;
/** Kinds of columns that a result table has besides names. */
const RESULT_KINDS: ReadonlySet<ColumnKind> = new Set([
  "value",
  "dated",
  "units",
  "range",
  "flag",
  "low",
  "high",
  "previous",
]);

/**
 * Reads a header row whose cells are whole headings. At least two must have a known kind; contents decide the kind of
 * the others.
 */
export function readHeaderCells(
  line: Line,
  next: Line | undefined,
): { headings: ColumnHeading[]; lines: 1 | 2 } | null {
  const isStacked =
    next !== undefined && next.top - line.bottom < (line.bottom - line.top) * 1.3 && isContinuation(line, next);
  const cells = isStacked ? mergeStackedCells(line.cells, next.cells) : [...line.cells];
  if (cells.length < MIN_CELLS || !cells.every(mayBeHeading)) return null;
  const headings = cells.flatMap(headingsInCell).toSorted((a, b) => a.left - b.left);
  const kinds = new Set(headings.flatMap(({ kind, isUnknown }) => (isUnknown ? [] : [kind])));
  const hasEnoughKinds = [...kinds].filter((kind) => kind === "name" || RESULT_KINDS.has(kind)).length >= MIN_KINDS;
  const hasValue = kinds.has("value") || kinds.has("dated") || headings.some(({ isUnknown }) => isUnknown);
  const hasMore = [...kinds].some((kind) => kind !== "value" && RESULT_KINDS.has(kind));
  return hasEnoughKinds && hasValue && hasMore ? { headings, lines: isStacked ? 2 : 1 } : null;
}

function headingsInCell(cell: Cell): ColumnHeading[] {
  const place = { left: cell.left, right: cell.right };
  const exact = columnKindByPhrase(cell.text);
  if (exact) return [{ kind: exact, ...place, date: readDate(cell.text) }];
  const parts = readHeadingPhrases(cell.words);
  if (parts?.every(({ isUnknown }) => !isUnknown)) return parts;
  const kind = columnKindByKeyword(cell.text);
  return [
    kind
      ? { kind, ...place, date: readDate(cell.text), isGuessed: true }
      : { kind: "other", ...place, isUnknown: true },
  ];
}

/** Reports whether a cell may be a heading: a date, or a few words that are neither a value, a range nor a unit. */
function mayBeHeading({ text, words }: Cell): boolean {
  if (columnKindByPhrase(text) !== undefined) return true;
  if (words.length > MAX_HEADING_WORDS || /[:=]$/.test(text)) return false;
  const kind = readValue(text)?.kind;
  return !(kind && kind !== "words") && !isRange(text) && !isUnit(text) && !isUnambiguousResult(text);
}

/** Reports whether a second line continues the headings above it: heading words, dates or times. */
function isContinuation(line: Line, next: Line): boolean {
  return next.cells.every((cell) => {
    const isUnder = line.cells.some((above) => overlap(above, cell));
    if (columnKindByPhrase(cell.text) === "dated") return isUnder;
    const isBracketed = /^[([].*[)\]]$/.test(cell.text) && !isValue(cell.text);
    return isUnder && mayBeHeading(cell) && (isBracketed || columnKindByKeyword(cell.text) !== undefined);
  });
}

const overlap = (one: Cell, other: Cell) => one.left < other.right && other.left < one.right;

function mergeStackedCells(above: readonly Cell[], below: readonly Cell[]): Cell[] {
  return above.map((cell) => {
    const under = below.filter((other) => overlap(cell, other));
    return under.length === 0 ? cell : toCell([...cell.words, ...under.flatMap(({ words }) => words)]);
  });
}
