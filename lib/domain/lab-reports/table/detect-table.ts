import { splitUnitFromName } from "../names/split-unit-from-name.ts";
import type { Line } from "../page/page-lines.ts";
import { readDate } from "../page/report-dates.ts";
import { isRange } from "../row/read-range.ts";
import { isUnambiguousResult, readValue } from "../row/read-value.ts";
import { isUnit } from "../row/report-units.ts";
import type { ReadingContext } from "../row/row-parts.ts";
import { assignHeaderWords, type ColumnSpan } from "./assign-header-words.ts";
import { type ColumnHeading, columnKindByPhrase, resolveDuplicateHeadings } from "./column-heading.ts";
import { detectColumnSpans, joinRangeTokens, MIN_TABLE_ROWS, mayBeTableRow } from "./detect-column-spans.ts";
import { columnKindByKeyword } from "./heading-keywords.ts";

/** A table detected by its column gaps: headings, and the lines without the header rows. */
export interface DetectedTable {
  readonly headings: readonly ColumnHeading[];
  readonly lines: readonly Line[];
}

const MIN_COLUMNS = 3;
const MIN_KNOWN_KINDS = 2;

/** Maximum number of words of one header cell. */
const MAX_TITLE_WORDS = 14;

/**
 * Detects a table by the column gaps of its rows, independently of its header row; null if the rows show no columns.
 */
export function detectTable(given: readonly Line[], { isKnown }: ReadingContext): DetectedTable | null {
  const lines = given.slice(findFirstLine(given, isKnown));
  const rows = lines.filter(mayBeTableRow).map(({ words }) => joinRangeTokens(words));
  if (rows.length < MIN_TABLE_ROWS) return null;
  const columns = detectColumnSpans(rows);
  if (columns.length < MIN_COLUMNS) return null;
  const titles = findHeaderTexts(lines, columns);
  const said = titles[0] ?? columns.map(() => "");
  const headings = columns.map((column, place) => headingOf(column, said[place] ?? ""));
  const isTitle = (line: Line) => titles.some((one) => one.lines.includes(line));
  const from = lines.findIndex(isTitle);
  return {
    headings: resolveDuplicateHeadings(headings),
    lines: lines.filter((line, place) => place > from && !isTitle(line)),
  };
}

/** Index of the first line of the table with its header lines, by the first row with a known name. */
function findFirstLine(lines: readonly Line[], isKnown: (name: string) => boolean): number {
  const first = lines.findIndex(
    (line) => mayBeTableRow(line) && line.cells.some(({ text }) => isKnown(splitUnitFromName(text)?.name ?? text)),
  );
  return Math.max(0, first - MAX_HEADER_LINES);
}

/** Maximum number of header lines above the first row. */
const MAX_HEADER_LINES = 4;

function headingOf({ left, right }: ColumnSpan, text: string): ColumnHeading {
  const exact = columnKindByPhrase(text);
  if (exact) return { kind: exact, left, right, date: readDate(text) };
  const kind = columnKindByKeyword(text);
  return kind
    ? { kind, left, right, date: readDate(text), isGuessed: true }
    : { kind: "other", left, right, isUnknown: true };
}

type HeaderTexts = string[] & { readonly lines: readonly Line[] };

/** Finds header rows, and assigns their texts to the columns. */
function findHeaderTexts(lines: readonly Line[], columns: readonly ColumnSpan[]): HeaderTexts[] {
  const found: HeaderTexts[] = [];
  for (let place = 0; place < lines.length; place++) {
    const line = lines[place];
    if (!line || !mayBeHeaderRow(line)) continue;
    let own = [line];
    for (const next of lines.slice(place + 1, place + 3))
      if (continuesHeader(own.at(-1) ?? line, next)) own = [...own, next];
    const over = own.map((one) => assignHeaderWords(one, columns));
    const texts = columns.map((_, index) =>
      over
        .map((one) => one[index] ?? "")
        .filter((text) => text !== "")
        .join(" "),
    );
    const kinds = new Set(
      texts.flatMap((text) => (text === "" ? [] : (columnKindByPhrase(text) ?? columnKindByKeyword(text) ?? []))),
    );
    if (kinds.size < MIN_KNOWN_KINDS) continue;
    found.push(Object.assign(texts, { lines: own }));
    place += own.length - 1;
  }
  return found;
}

function mayBeHeaderRow({ cells, text }: Line): boolean {
  if (cells.length < 2 || /:\s/.test(text) || cells.some(({ words }) => words.length > MAX_TITLE_WORDS)) return false;
  return cells.every((cell) => {
    if (columnKindByPhrase(cell.text) !== undefined) return true;
    const kind = readValue(cell.text)?.kind;
    return !(kind && kind !== "words") && !isRange(cell.text) && !isUnit(cell.text) && !isUnambiguousResult(cell.text);
  });
}

/** Reports whether a line continues the header row above it: dates or heading words. */
function continuesHeader(line: Line, next: Line): boolean {
  if (next.top - line.bottom > (line.bottom - line.top) * 1.3) return false;
  return next.cells.every(({ text, left, right }) => {
    const isUnder = line.cells.some((cell) => left < cell.right && cell.left < right);
    return (
      isUnder &&
      (columnKindByPhrase(text) === "dated" ||
        (columnKindByKeyword(text) !== undefined && !/\d/.test(text)) ||
        /^[([].*[)\]]$/.test(text))
    );
  });
}
