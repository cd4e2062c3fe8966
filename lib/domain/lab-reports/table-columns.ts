import { kindByTokens } from "./heading-tokens.ts";
import { type Heading, kindAt, withOneOfEach } from "./headings.ts";
import type { Line } from "./page-lines.ts";
import { isRange } from "./read-range.ts";
import { isWholeResult, readValue } from "./read-value.ts";
import { readDate } from "./report-dates.ts";
import { isUnit } from "./report-units.ts";
import type { ReadingContext } from "./row-parts.ts";
import { columnsOf, FEWEST_ROWS, glued, isRowLike } from "./table-grid.ts";
import { type Span, titlesOver } from "./title-words.ts";
import { unitInName } from "./unit-in-name.ts";

/** A table detected by its column gaps: headings, and the lines without the header rows. */
export interface Table {
  readonly headings: readonly Heading[];
  readonly lines: readonly Line[];
}

const FEWEST_COLUMNS = 3;
const FEWEST_TOLD = 2;

/** Maximum number of words of one header cell. */
const LONGEST_TITLE = 14;

/**
 * Detects a table by the column gaps of its rows, independently of its header row; null if the rows show no columns.
 */
export function tableIn(given: readonly Line[], { isKnown }: ReadingContext): Table | null {
  const lines = given.slice(firstLine(given, isKnown));
  const rows = lines.filter(isRowLike).map(({ words }) => glued(words));
  if (rows.length < FEWEST_ROWS) return null;
  const columns = columnsOf(rows);
  if (columns.length < FEWEST_COLUMNS) return null;
  const titles = titlesIn(lines, columns);
  const said = titles[0] ?? columns.map(() => "");
  const headings = columns.map((column, place) => headingOf(column, said[place] ?? ""));
  const isTitle = (line: Line) => titles.some((one) => one.lines.includes(line));
  const from = lines.findIndex(isTitle);
  return { headings: withOneOfEach(headings), lines: lines.filter((line, place) => place > from && !isTitle(line)) };
}

/** Index of the first line of the table with its header lines, by the first row with a known name. */
function firstLine(lines: readonly Line[], isKnown: (name: string) => boolean): number {
  const first = lines.findIndex(
    (line) => isRowLike(line) && line.cells.some(({ text }) => isKnown(unitInName(text)?.name ?? text)),
  );
  return Math.max(0, first - ABOVE);
}

/** Maximum number of header lines above the first row. */
const ABOVE = 4;

function headingOf({ left, right }: Span, text: string): Heading {
  const exact = kindAt(text);
  if (exact) return { kind: exact, left, right, date: readDate(text) };
  const kind = kindByTokens(text);
  return kind
    ? { kind, left, right, date: readDate(text), isGuessed: true }
    : { kind: "other", left, right, isUnknown: true };
}

type Titles = string[] & { readonly lines: readonly Line[] };

/** Finds header rows, and assigns their texts to the columns. */
function titlesIn(lines: readonly Line[], columns: readonly Span[]): Titles[] {
  const found: Titles[] = [];
  for (let place = 0; place < lines.length; place++) {
    const line = lines[place];
    if (!line || !mayBeTitle(line)) continue;
    let own = [line];
    for (const next of lines.slice(place + 1, place + 3))
      if (isUnderTitle(own.at(-1) ?? line, next)) own = [...own, next];
    const over = own.map((one) => titlesOver(one, columns));
    const texts = columns.map((_, index) =>
      over
        .map((one) => one[index] ?? "")
        .filter((text) => text !== "")
        .join(" "),
    );
    const told = new Set(texts.flatMap((text) => (text === "" ? [] : (kindAt(text) ?? kindByTokens(text) ?? []))));
    if (told.size < FEWEST_TOLD) continue;
    found.push(Object.assign(texts, { lines: own }));
    place += own.length - 1;
  }
  return found;
}

function mayBeTitle({ cells, text }: Line): boolean {
  if (cells.length < 2 || /:\s/.test(text) || cells.some(({ words }) => words.length > LONGEST_TITLE)) return false;
  return cells.every((cell) => {
    if (kindAt(cell.text) !== undefined) return true;
    const kind = readValue(cell.text)?.kind;
    return !(kind && kind !== "words") && !isRange(cell.text) && !isUnit(cell.text) && !isWholeResult(cell.text);
  });
}

/** Reports whether a line continues the header row above it: dates or heading words. */
function isUnderTitle(line: Line, next: Line): boolean {
  if (next.top - line.bottom > (line.bottom - line.top) * 1.3) return false;
  return next.cells.every(({ text, left, right }) => {
    const isUnder = line.cells.some((cell) => left < cell.right && cell.left < right);
    return (
      isUnder &&
      (kindAt(text) === "dated" || (kindByTokens(text) !== undefined && !/\d/.test(text)) || /^[([].*[)\]]$/.test(text))
    );
  });
}
