import { assignColumns, type Column, learnColumns, toColumns } from "./assign-columns.ts";
import { type Heading, headingsOf } from "./headings.ts";
import { characterWidth, type Line, middle } from "./page-lines.ts";
import { type Below, isRangeLine, readBelow } from "./range-below.ts";
import { type ReadLine, readAssigned, readLoose } from "./read-line.ts";
import { isResultWords } from "./read-value.ts";
import { isLabelled } from "./report-labels.ts";
import type { PrintedRow, RowParts } from "./row-parts.ts";

/** A part of a page in which one set of headings holds; null where no headings were found. */
export interface Stretch {
  readonly headings: readonly Heading[] | null;
  readonly lines: readonly Line[];
}

/** Whether a name is one that the catalogue knows. */
export type IsKnownName = (name: string) => boolean;

/** Parts lines at their headings; those of the page before hold until there are new ones. */
export function stretchesOf(lines: readonly Line[], carried: readonly Heading[] | null): Stretch[] {
  const stretches: { headings: readonly Heading[] | null; lines: Line[] }[] = [{ headings: null, lines: [] }];
  let isFound = false;
  for (let place = 0; place < lines.length; place++) {
    const line = lines[place];
    const found = line && headingsOf(line, lines[place + 1]);
    if (found) {
      isFound = true;
      stretches.push({ headings: found.headings, lines: [] });
      place += found.lines - 1;
    } else if (line) stretches.at(-1)?.lines.push(line);
  }
  if (!isFound) return [{ headings: carried, lines }];
  const [before, ...tables] = stretches;
  return carried && before ? [{ ...before, headings: carried }, ...tables] : tables;
}

/** Reads every line of a stretch, by its columns where it has headings. */
function readLines({ headings, lines }: Stretch, isRecognised: boolean): ReadLine[] {
  if (!headings) return lines.map((line) => readLoose(line, isRecognised));
  const columns: Column[] = toColumns(headings);
  const first = lines.map((line) => assignColumns(line, columns));
  const learned = learnColumns(columns, first);
  return lines.map((line) => readAssigned(line, assignColumns(line, learned), isRecognised));
}

/** The rows of a stretch; names that go on in the next line are joined, and headings of panels told to their rows. */
export function rowsOf(
  stretch: Stretch,
  isKnown: IsKnownName,
  panelBefore: string | null,
  isRecognised: boolean,
): PrintedRow[] {
  const reads = readLines(stretch, isRecognised);
  const rows: PrintedRow[] = [];
  let panel = panelBefore;
  const pitch = pitchOf(reads);
  let above: ReadLine | null = null;
  for (const [place, read] of reads.entries()) {
    if (read.parts && isRow(read, above, isKnown, stretch.headings !== null)) {
      const { parts, used, isRangeUnread } = belowRow(
        read,
        read.parts,
        reads.slice(place + 1),
        isKnown,
        stretch.headings !== null,
      );
      for (const one of used) reads[reads.indexOf(one)] = { ...one, name: "", parts: null };
      const below = reads[place + 1];
      const name = joinedName(read, above, below, pitch, isKnown);
      if (above && !name.usesAbove && isPanel(above)) panel = above.name;
      const words = [read, ...used].flatMap((one) => one.words);
      rows.push({ ...parts, name: name.text, panel, words, isRangeUnread });
      above = null;
      if (name.usesBelow) reads.splice(place + 1, 1, { ...(below ?? read), name: "", parts: null });
    } else if (!read.parts && read.name !== "" && (isPanel(read) || isKnown(read.name))) above = read;
    else if (!read.parts && read.name !== "") above = null;
  }
  return rows;
}

/** What the lines between a row and the next one add to it. */
function belowRow(
  read: ReadLine,
  own: RowParts,
  rest: readonly ReadLine[],
  isKnown: IsKnownName,
  hasHeadings: boolean,
): Below {
  const isNext = (one: ReadLine) =>
    one.parts !== null && !isRangeLine(one.line) && (one.name === "" || isRow(one, null, isKnown, hasHeadings));
  const next = rest.findIndex(isNext);
  return readBelow(read, own, next < 0 ? rest : rest.slice(0, next), rest[next]?.line);
}

/** Whether a line that has a value is a row: it says more than a number beside a text. */
function isRow(read: ReadLine, above: ReadLine | null, isKnown: IsKnownName, hasHeadings: boolean): boolean {
  const { name, parts } = read;
  if (!parts || !read.isParted) return false;
  const { min, max, expected } = parts.range;
  const hasMore =
    parts.units !== null ||
    parts.flag !== null ||
    min !== null ||
    max !== null ||
    (expected !== null && parts.value.kind === "words");
  if (name === "") return above !== null && (hasMore || isKnown(above.name));
  if (!/\p{L}/u.test(name) || name.length > 90 || (isLabelled(name) && !isKnown(name) && !hasMore)) return false;
  if (isKnown(name)) return true;
  if (parts.value.kind === "words" && !isResultWords(parts.value.value)) return false;
  return hasMore || (hasHeadings && (parts.value.kind !== "words" || isResultWords(parts.value.value)));
}

interface Joined {
  readonly text: string;
  readonly usesAbove: boolean;
  readonly usesBelow: boolean;
}

/** The whole name of a row: with the line above or below where that is a part of it. */
function joinedName(
  read: ReadLine,
  above: ReadLine | null,
  below: ReadLine | undefined,
  pitch: number,
  isKnown: IsKnownName,
): Joined {
  if (read.name === "") return { text: above?.name ?? "", usesAbove: true, usesBelow: false };
  const isBelow = below && !below.parts && below.name !== "" && goesOn(read, below, pitch, isKnown);
  if (isBelow) return { text: `${read.name} ${below.name}`, usesAbove: false, usesBelow: true };
  const whole = above ? `${above.name} ${read.name}` : "";
  const isAbove = above && isClose(above, read, pitch) && !isKnown(read.name) && isKnown(whole);
  if (isAbove) return { text: whole, usesAbove: true, usesBelow: false };
  return { text: read.name, usesAbove: false, usesBelow: false };
}

function goesOn(read: ReadLine, below: ReadLine, pitch: number, isKnown: IsKnownName): boolean {
  if (!isClose(read, below, pitch)) return false;
  const whole = `${read.name} ${below.name}`;
  if (isKnown(whole) && (!isKnown(below.name) || below.name.startsWith("("))) return true;
  const isOpen =
    /[,/(-]$/.test(read.name) || (read.name.match(/\(/g)?.length ?? 0) > (read.name.match(/\)/g)?.length ?? 0);
  return isOpen || (isIndented(read, below) && below.name.split(" ").length <= 4 && !/[.;]$|:/.test(below.name));
}

/** By how much the heights of letters of one size may differ; those of recognised ones depend on the letters. */
const TOLERANCE = 0.06;
const RECOGNISED_TOLERANCE = 0.35;

/** Whether a line begins a little further in than the one above, in letters of the same size. */
function isIndented(read: ReadLine, below: ReadLine): boolean {
  const [first, next] = [read.words[0], below.words[0]];
  if (!first || !next) return false;
  const indent = (next.left - first.left) / characterWidth(next);
  const sizes = next.height / first.height;
  const tolerance = next.confidence < 100 ? RECOGNISED_TOLERANCE : TOLERANCE;
  return indent > 0.7 && indent < 5 && Math.abs(sizes - 1) < tolerance;
}

const isClose = (one: ReadLine, next: ReadLine, pitch: number) =>
  next.line.top - one.line.top < Math.max(pitch * 1.05, (one.line.bottom - one.line.top) * 1.6);

/** How far rows are apart. */
function pitchOf(reads: readonly ReadLine[]): number {
  const tops = reads.filter(({ parts }) => parts).map(({ line }) => line.top);
  return middle(tops.slice(1).map((top, place) => top - (tops[place] ?? 0)));
}

/** Whether a line may be the heading of a panel, or a part of a name: few words, and no sentence. */
function isPanel({ name }: ReadLine): boolean {
  const words = name.split(" ");
  if (words.length > 9 || name.length > 70 || isLabelled(name)) return false;
  return (
    /\p{L}{2}/u.test(name) && !/[.;!?]$/.test(name) && !/^(?:note|comment|see|this|the|performed|method)\b/i.test(name)
  );
}
