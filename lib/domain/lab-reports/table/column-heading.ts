import { type Cell, hasCellGap, type Line, rightOf, textOf, toCell } from "../page/page-lines.ts";
import { readDate } from "../page/report-dates.ts";
import type { ReportWord } from "../page/report-page.ts";
import { isWithinOneEdit } from "../row/repair-units.ts";
import { type ColumnKind, headingPhrases } from "./heading-phrases.ts";

/** The heading of a column: its kind and horizontal extent. */
export interface ColumnHeading {
  readonly kind: ColumnKind;
  /** The date in the heading, `YYYY-MM-DD`, if any. */
  readonly date?: string | null;
  /** Whether the column holds target ranges, such as optimal ranges, instead of reference ranges. */
  readonly isTarget?: boolean;
  /** Whether the kind is unknown. */
  readonly isUnknown?: boolean;
  /** Whether a keyword, rather than a known phrase, determines the kind. */
  readonly isGuessed?: boolean;
  /** The unit in the heading, as in `Result (mg/dL)`. */
  readonly units?: string;
  readonly left: number;
  readonly right: number;
}

const kindByPhrase = new Map(
  (Object.keys(headingPhrases) as ColumnKind[]).flatMap((kind) =>
    headingPhrases[kind].map((phrase) => [fold(phrase), kind] as const),
  ),
);
const MAX_PHRASE_WORDS = 5;
/** Minimum number of letters of a phrase that may contain one wrong letter. */
const MIN_FUZZY_LETTERS = 6;

/** The column kind of a heading phrase. Tolerates one misrecognised letter and ignores dates. */
export function columnKindByPhrase(text: string): ColumnKind | undefined {
  const phrase = fold(text.replaceAll(DAY_OR_TIME, " "));
  if (phrase === "" && /\d/.test(text)) return "dated";
  const exact = kindByPhrase.get(phrase);
  if (exact || phrase.length < MIN_FUZZY_LETTERS) return exact;
  return [...kindByPhrase].find(([other]) => other.length >= MIN_FUZZY_LETTERS && isWithinOneEdit(phrase, other))?.[1];
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
function resolveDatedHeadings(headings: readonly ColumnHeading[]): ColumnHeading[] {
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

export const resolveDuplicateHeadings = (headings: readonly ColumnHeading[]): ColumnHeading[] =>
  keepReferenceRange(keepFirstUnitSystem(resolveDatedHeadings(headings)));

const TARGET = /\b(?:optimal|target|desired|desirable|goal|healthy|therapeutic)\b/i;

/** Keeps the reference range and demotes target ranges if a table has both. */
function keepReferenceRange(headings: readonly ColumnHeading[]): ColumnHeading[] {
  const ranges = headings.filter(({ kind }) => kind === "range");
  const chosen = ranges.find(({ isTarget }) => !isTarget) ?? ranges[0];
  const isOther = (heading: ColumnHeading) => heading.kind === "range" && heading !== chosen && heading.isTarget;
  return headings.map((heading) => (isOther(heading) ? { ...heading, kind: "previous" } : heading));
}

/** Keeps the first of two unit systems side by side. */
function keepFirstUnitSystem(headings: readonly ColumnHeading[]): ColumnHeading[] {
  const placesOf = (kind: ColumnKind) => headings.flatMap((heading, place) => (heading.kind === kind ? [place] : []));
  const [values, units] = [placesOf("value"), placesOf("units")];
  const isTwice = values.length === 2 && units.length === 2 && placesOf("name").length === 1;
  const second = isTwice ? (values[1] ?? 0) : headings.length;
  return headings.map((heading, place) => (place < second ? heading : { ...heading, kind: "previous" }));
}

/** Reports whether headings suffice for a header row: a name, a value, and units, range or flag. */
function isTable(headings: readonly ColumnHeading[]): boolean {
  const has = (kind: ColumnKind) => headings.some((heading) => heading.kind === kind);
  if (has("dated")) return has("name") && (has("units") || has("range"));
  if (!has("value")) return false;
  return (has("name") && headings.length >= 2) || [has("units"), has("range"), has("flag")].filter(Boolean).length >= 2;
}

/** Reads a header row of one or two lines in which every heading is known; null for other lines. */
export function readKnownHeaderRow(
  line: Line,
  next: Line | undefined,
): { headings: ColumnHeading[]; lines: 1 | 2 } | null {
  const alone = readHeadingPhrases(line.words);
  const isAlone = alone !== null && isTable(alone);
  if (next && next.top - line.bottom < (line.bottom - line.top) * 1.3) {
    const stacked = readStacked(line, next);
    if (stacked && isTable(stacked) && (!isAlone || stacked.length >= alone.length)) {
      return { headings: resolveDuplicateHeadings(stacked), lines: 2 };
    }
  }
  return isAlone ? { headings: resolveDuplicateHeadings(alone), lines: 1 } : null;
}

/** Splits words into the longest known heading phrases; null if too many words are unknown. */
export function readHeadingPhrases(words: readonly ReportWord[]): ColumnHeading[] | null {
  const headings: ColumnHeading[] = [];
  let unknown = 0;
  for (let place = 0; place < words.length; ) {
    const found = longestPhrase(words.slice(place, place + MAX_PHRASE_WORDS));
    const word = words[place];
    if (found) headings.push(found.heading);
    else if (word && isIsolated(words, place))
      headings.push({ kind: "other", left: word.left, right: rightOf(word), isUnknown: true });
    if (!found) unknown++;
    place += found?.length ?? 1;
  }
  return unknown * 3 > headings.filter(({ isUnknown }) => !isUnknown).length ? null : headings;
}

/** Reports whether a word has a cell gap on both sides, as headings have. */
function isIsolated(words: readonly ReportWord[], place: number): boolean {
  const [before, word, next] = [words[place - 1], words[place], words[place + 1]];
  return word !== undefined && (!before || hasCellGap(before, word)) && (!next || hasCellGap(word, next));
}

function longestPhrase(words: readonly ReportWord[]): { heading: ColumnHeading; length: number } | undefined {
  for (let length = words.length; length > 0; length--) {
    const part = words.slice(0, length);
    if (part.some((word, place) => place > 0 && hasCellGap(part[place - 1] ?? word, word))) continue;
    const kind = columnKindByPhrase(textOf(part));
    const [first, last] = [part[0], part.at(-1)];
    const place = { left: first?.left ?? 0, right: last ? rightOf(last) : 0 };
    const [date, isWish] = [readDate(textOf(part)), TARGET.test(textOf(part))];
    if (kind) return { heading: { kind, ...place, date, isTarget: isWish }, length };
  }
  return undefined;
}

/** Reads headings that wrap over two lines: `Reference` above `Interval`. */
function readStacked(line: Line, next: Line): ColumnHeading[] | null {
  const cells: Cell[] = [...line.cells];
  const alone: Cell[] = [];
  for (const below of next.cells) {
    const place = cells.findIndex((cell) => below.left < cell.right && cell.left < below.right);
    const above = cells[place];
    if (above) cells[place] = { ...toCell([...above.words, ...below.words]) };
    else alone.push(below);
  }
  const headings = [...cells, ...alone].flatMap((cell) => {
    const kind = columnKindByPhrase(cell.text);
    if (kind) return [{ kind, left: cell.left, right: cell.right, date: readDate(cell.text) }];
    return readHeadingPhrases(cell.words) ?? [null];
  });
  const known = headings.filter((heading) => heading !== null);
  return known.length < headings.length ? null : known.toSorted((a, b) => a.left - b.left);
}
