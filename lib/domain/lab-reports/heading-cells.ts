import { kindByTokens } from "./heading-tokens.ts";
import type { ColumnKind } from "./heading-words.ts";
import { type Heading, kindAt, readHeadings } from "./headings.ts";
import { type Cell, type Line, toCell } from "./page-lines.ts";
import { isRange } from "./read-range.ts";
import { isValue, isWholeResult, readValue } from "./read-value.ts";
import { readDate } from "./report-dates.ts";
import { isUnit } from "./report-units.ts";

const LONGEST = 5;
const FEWEST_CELLS = 3;
const FEWEST_KINDS = 2;
/** Kinds of columns that a result table has besides names. */
const OF_RESULTS: ReadonlySet<ColumnKind> = new Set([
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
export function headingCells(line: Line, next: Line | undefined): { headings: Heading[]; lines: 1 | 2 } | null {
  const isStacked = next !== undefined && next.top - line.bottom < (line.bottom - line.top) * 1.3 && goesOn(line, next);
  const cells = isStacked ? stacked(line.cells, next.cells) : [...line.cells];
  if (cells.length < FEWEST_CELLS || !cells.every(mayBeHeading)) return null;
  const headings = cells.flatMap(headingsIn).toSorted((a, b) => a.left - b.left);
  const told = new Set(headings.flatMap(({ kind, isUnknown }) => (isUnknown ? [] : [kind])));
  const isTold = [...told].filter((kind) => kind === "name" || OF_RESULTS.has(kind)).length >= FEWEST_KINDS;
  const hasValue = told.has("value") || told.has("dated") || headings.some(({ isUnknown }) => isUnknown);
  const hasMore = [...told].some((kind) => kind !== "value" && OF_RESULTS.has(kind));
  return isTold && hasValue && hasMore ? { headings, lines: isStacked ? 2 : 1 } : null;
}

function headingsIn(cell: Cell): Heading[] {
  const place = { left: cell.left, right: cell.right };
  const exact = kindAt(cell.text);
  if (exact) return [{ kind: exact, ...place, date: readDate(cell.text) }];
  const parts = readHeadings(cell.words);
  if (parts?.every(({ isUnknown }) => !isUnknown)) return parts;
  const kind = kindByTokens(cell.text);
  return [
    kind
      ? { kind, ...place, date: readDate(cell.text), isGuessed: true }
      : { kind: "other", ...place, isUnknown: true },
  ];
}

/** Reports whether a cell may be a heading: a date, or a few words that are neither a value, a range nor a unit. */
function mayBeHeading({ text, words }: Cell): boolean {
  if (kindAt(text) !== undefined) return true;
  if (words.length > LONGEST || /[:=]$/.test(text)) return false;
  const kind = readValue(text)?.kind;
  return !(kind && kind !== "words") && !isRange(text) && !isUnit(text) && !isWholeResult(text);
}

/** Reports whether a second line continues the headings above it: heading words, dates or times. */
function goesOn(line: Line, next: Line): boolean {
  return next.cells.every((cell) => {
    const isUnder = line.cells.some((above) => overlap(above, cell));
    if (kindAt(cell.text) === "dated") return isUnder;
    const isBracketed = /^[([].*[)\]]$/.test(cell.text) && !isValue(cell.text);
    return isUnder && mayBeHeading(cell) && (isBracketed || kindByTokens(cell.text) !== undefined);
  });
}

const overlap = (one: Cell, other: Cell) => one.left < other.right && other.left < one.right;

function stacked(above: readonly Cell[], below: readonly Cell[]): Cell[] {
  return above.map((cell) => {
    const under = below.filter((other) => overlap(cell, other));
    return under.length === 0 ? cell : toCell([...cell.words, ...under.flatMap(({ words }) => words)]);
  });
}
