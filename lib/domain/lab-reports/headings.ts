import { type ColumnKind, headingWords } from "./heading-words.ts";
import { type Cell, isApart, type Line, rightOf, textOf, toCell } from "./page-lines.ts";
import { isOneApart } from "./repair-units.ts";
import { readDate } from "./report-dates.ts";
import type { ReportWord } from "./report-page.ts";

/** The heading of a column: its kind and horizontal extent. */
export interface Heading {
  readonly kind: ColumnKind;
  /** The date in the heading, `YYYY-MM-DD`, if any. */
  readonly date?: string | null;
  /** Whether the column holds target ranges, such as optimal ranges, instead of reference ranges. */
  readonly isWish?: boolean;
  /** Whether the kind is unknown. */
  readonly isUnknown?: boolean;
  /** Whether a keyword, rather than a known phrase, determines the kind. */
  readonly isGuessed?: boolean;
  /** The unit in the heading, as in `Result (mg/dL)`. */
  readonly units?: string;
  readonly left: number;
  readonly right: number;
}

const kindOf = new Map(
  (Object.keys(headingWords) as ColumnKind[]).flatMap((kind) =>
    headingWords[kind].map((phrase) => [fold(phrase), kind] as const),
  ),
);
const LONGEST_PHRASE = 5;
/** Minimum number of letters of a phrase that may contain one wrong letter. */
const FEWEST_LETTERS = 6;

/** The column kind of a heading phrase. Tolerates one misrecognised letter and ignores dates. */
export function kindAt(text: string): ColumnKind | undefined {
  const phrase = fold(text.replaceAll(DAY_OR_TIME, " "));
  if (phrase === "" && /\d/.test(text)) return "dated";
  const exact = kindOf.get(phrase);
  if (exact || phrase.length < FEWEST_LETTERS) return exact;
  return [...kindOf].find(([other]) => other.length >= FEWEST_LETTERS && isOneApart(phrase, other))?.[1];
}

function fold(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[.:,;|[\]{}]/g, "")
    .replaceAll(/\s*\/\s*/g, "/")
    .replaceAll(/\s+/g, " ")
    .trim();
}

const DAY_OR_TIME =
  /\b(?:\d{1,4}[/.-]\d{1,2}[/.-]\d{1,4}|\d{1,2}[ -]?(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*[ -]?\d{2,4}|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.? \d{1,2}, ?\d{4}|\d{1,2}:\d{2}(?::\d{2})?(?:\s?[ap]m)?)/gi;

/** Dated columns are previous results. The latest one holds the values if no other column does. */
function withoutDates(headings: readonly Heading[]): Heading[] {
  const latest = headings
    .flatMap(({ kind, date }) => (kind === "dated" && date ? [date] : []))
    .toSorted()
    .at(-1);
  const isSaid = headings.some(({ kind, isGuessed }) => kind === "value" && !isGuessed);
  return headings.map((heading) =>
    heading.kind !== "dated"
      ? heading
      : { ...heading, kind: !isSaid && heading.date === latest ? "value" : "previous" },
  );
}

export const withOneOfEach = (headings: readonly Heading[]): Heading[] =>
  withOneRange(withoutSecondUnits(withoutDates(headings)));

const WISH = /\b(?:optimal|target|desired|desirable|goal|healthy|therapeutic)\b/i;

/** Keeps the reference range and demotes target ranges if a table has both. */
function withOneRange(headings: readonly Heading[]): Heading[] {
  const ranges = headings.filter(({ kind }) => kind === "range");
  const chosen = ranges.find(({ isWish }) => !isWish) ?? ranges[0];
  const isOther = (heading: Heading) => heading.kind === "range" && heading !== chosen && heading.isWish;
  return headings.map((heading) => (isOther(heading) ? { ...heading, kind: "previous" } : heading));
}

/** Keeps the first of two unit systems side by side. */
function withoutSecondUnits(headings: readonly Heading[]): Heading[] {
  const placesOf = (kind: ColumnKind) => headings.flatMap((heading, place) => (heading.kind === kind ? [place] : []));
  const [values, units] = [placesOf("value"), placesOf("units")];
  const isTwice = values.length === 2 && units.length === 2 && placesOf("name").length === 1;
  const second = isTwice ? (values[1] ?? 0) : headings.length;
  return headings.map((heading, place) => (place < second ? heading : { ...heading, kind: "previous" }));
}

/** Reports whether headings suffice for a header row: a name, a value, and units, range or flag. */
function isTable(headings: readonly Heading[]): boolean {
  const has = (kind: ColumnKind) => headings.some((heading) => heading.kind === kind);
  if (has("dated")) return has("name") && (has("units") || has("range"));
  if (!has("value")) return false;
  return (has("name") && headings.length >= 2) || [has("units"), has("range"), has("flag")].filter(Boolean).length >= 2;
}

/** Reads a header row of one or two lines in which every heading is known; null for other lines. */
export function knownHeadings(line: Line, next: Line | undefined): { headings: Heading[]; lines: 1 | 2 } | null {
  const alone = readHeadings(line.words);
  const isAlone = alone !== null && isTable(alone);
  if (next && next.top - line.bottom < (line.bottom - line.top) * 1.3) {
    const stacked = readStacked(line, next);
    if (stacked && isTable(stacked) && (!isAlone || stacked.length >= alone.length)) {
      return { headings: withOneOfEach(stacked), lines: 2 };
    }
  }
  return isAlone ? { headings: withOneOfEach(alone), lines: 1 } : null;
}

/** Splits words into the longest known heading phrases; null if too many words are unknown. */
export function readHeadings(words: readonly ReportWord[]): Heading[] | null {
  const headings: Heading[] = [];
  let unknown = 0;
  for (let place = 0; place < words.length; ) {
    const found = longest(words.slice(place, place + LONGEST_PHRASE));
    const word = words[place];
    if (found) headings.push(found.heading);
    else if (word && standsApart(words, place))
      headings.push({ kind: "other", left: word.left, right: rightOf(word), isUnknown: true });
    if (!found) unknown++;
    place += found?.length ?? 1;
  }
  return unknown * 3 > headings.filter(({ isUnknown }) => !isUnknown).length ? null : headings;
}

/** Reports whether a word has a cell gap on both sides, as headings have. */
function standsApart(words: readonly ReportWord[], place: number): boolean {
  const [before, word, next] = [words[place - 1], words[place], words[place + 1]];
  return word !== undefined && (!before || isApart(before, word)) && (!next || isApart(word, next));
}

function longest(words: readonly ReportWord[]): { heading: Heading; length: number } | undefined {
  for (let length = words.length; length > 0; length--) {
    const part = words.slice(0, length);
    if (part.some((word, place) => place > 0 && isApart(part[place - 1] ?? word, word))) continue;
    const kind = kindAt(textOf(part));
    const [first, last] = [part[0], part.at(-1)];
    const place = { left: first?.left ?? 0, right: last ? rightOf(last) : 0 };
    const [date, isWish] = [readDate(textOf(part)), WISH.test(textOf(part))];
    if (kind) return { heading: { kind, ...place, date, isWish }, length };
  }
  return undefined;
}

/** Reads headings that wrap over two lines: `Reference` above `Interval`. */
function readStacked(line: Line, next: Line): Heading[] | null {
  const cells: Cell[] = [...line.cells];
  const alone: Cell[] = [];
  for (const below of next.cells) {
    const place = cells.findIndex((cell) => below.left < cell.right && cell.left < below.right);
    const above = cells[place];
    if (above) cells[place] = { ...toCell([...above.words, ...below.words]) };
    else alone.push(below);
  }
  const headings = [...cells, ...alone].flatMap((cell) => {
    const kind = kindAt(cell.text);
    if (kind) return [{ kind, left: cell.left, right: cell.right, date: readDate(cell.text) }];
    return readHeadings(cell.words) ?? [null];
  });
  const known = headings.filter((heading) => heading !== null);
  return known.length < headings.length ? null : known.toSorted((a, b) => a.left - b.left);
}
