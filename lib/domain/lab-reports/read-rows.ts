import { alignment } from "./aligned-values.ts";
import type { ColumnKind } from "./heading-words.ts";
import { kindAt } from "./headings.ts";
import { type IsKnownName, type Joined, joinedName } from "./join-names.ts";
import { mayBeOfResult } from "./left-over.ts";
import { middle } from "./page-lines.ts";
import { type Below, isRangeLine, readBelow } from "./range-below.ts";
import { flagMeaning } from "./read-flag.ts";
import type { ReadLine } from "./read-line.ts";
import { readLines, type Stretch } from "./read-table.ts";
import { isResultWords } from "./read-value.ts";
import { isLabelled } from "./report-labels.ts";
import type { PrintedRow, ReadingContext, RowParts } from "./row-parts.ts";
import { type Placed, withLeftOver } from "./rows-left-over.ts";
import { unitInName } from "./unit-in-name.ts";

/** Reads the rows of a table section. Joins names that wrap, and assigns panel headings to their rows. */
export function rowsOf(stretch: Stretch, panelBefore: string | null, context: ReadingContext): PrintedRow[] {
  const { isKnown } = context;
  const reads = readLines(stretch, context);
  const isAligned = alignment(reads, isKnown);
  const rows: Placed[] = [];
  let panel = panelBefore;
  const [pitch, reach] = [pitchOf(reads), reachOf(reads)];
  let above: ReadLine | null = null;
  for (const [place, read] of reads.entries()) {
    if (isFlaggedName(read, reads[place + 1])) above = read;
    else if (read.parts && (isRow(read, above, isKnown, stretch.headings !== null) || isAligned(read))) {
      const rest = reads.slice(place + 1);
      const added = belowRow(read, read.parts, rest, stretch.headings !== null, context);
      for (const one of added.used) reads[reads.indexOf(one)] = { ...one, name: besideUnit(one, read), parts: null };
      const below = reads[place + 1];
      const name = joinedName(read, above, below, pitch, isKnown, reach);
      if (above && !name.usesAbove && isPanel(above)) panel = withoutDate(above.name);
      rows.push({ row: rowFrom(read, added, name, above, panel), place });
      above = null;
      if (name.usesBelow) reads.splice(place + 1, 1, { ...(below ?? read), name: "", parts: null });
    } else if (!read.parts && read.name !== "" && (isPanel(read) || isKnown(read.name))) above = read;
    else if (!read.parts && read.name !== "") above = null;
  }
  return withLeftOver(rows, reads);
}

/** Builds a row from its line and the lines above and below it. */
function rowFrom(
  read: ReadLine,
  { parts, used, leftOver }: Below,
  name: Joined,
  above: ReadLine | null,
  panel: string | null,
): PrintedRow {
  const whole = name.usesAbove && above ? [above, read, ...used] : [read, ...used];
  const named = parts.units === null ? unitInName(name.text) : null;
  return {
    ...parts,
    flag: parts.flag ?? (name.usesAbove ? (above?.parts?.value.value ?? null) : null),
    name: named?.name ?? name.text,
    units: named?.units ?? parts.units ?? unitOfPanel(parts, panel),
    panel,
    words: whole.flatMap((one) => one.words),
    leftOver: [...read.leftOver, ...leftOver],
  };
}

/** The unit of numbers in a panel such as `Electrolytes (mmol/L)`. */
const unitOfPanel = ({ value }: RowParts, panel: string | null): string | null =>
  value.kind === "number" ? (unitInName(panel ?? "")?.units ?? null) : null;

/** Completes a row with the lines up to the next row. */
function belowRow(
  read: ReadLine,
  own: RowParts,
  rest: readonly ReadLine[],
  hasHeadings: boolean,
  context: ReadingContext,
): Below {
  const isName = (one: ReadLine | undefined) => one !== undefined && one.parts === null && one.name !== "";
  const isNext = (one: ReadLine, place: number) =>
    one.parts !== null &&
    !isRangeLine(one.line) &&
    (one.name === "" ? isName(rest[place - 1]) : isRow(one, null, context.isKnown, hasHeadings));
  const next = rest.findIndex(isNext);
  return readBelow(read, own, next < 0 ? rest : rest.slice(0, next), rest[next]?.line, context);
}

/** The part of a line under the row's name, if the unit or the range on that line belongs to the row. */
function besideUnit({ line }: ReadLine, { valueAt }: ReadLine): string {
  const cells = line.cells.filter(({ right }) => right < (valueAt?.left ?? 0));
  const text = cells.map((cell) => cell.text).join(" ");
  return mayBeOfResult(text) || isLabelled(text) ? "" : text;
}

/** Reports whether a line has only a name and a flag, and the value is on the next line. */
const isFlaggedName = ({ name, parts }: ReadLine, next: ReadLine | undefined) =>
  name !== "" &&
  parts?.value.kind === "words" &&
  flagMeaning(parts.value.value) !== undefined &&
  isNamelessNumber(next);

const isNamelessNumber = (read: ReadLine | undefined) => read?.name === "" && read.parts?.value.kind === "number";

/** Reports whether a line has header labels. */
const hasLabels = ({ line }: ReadLine) => line.cells.some(({ text }) => isLabelled(text));

/** Reports whether a value needs no unit and no range. */
const isWhollyTold = ({ value }: RowParts) =>
  value.kind === "titer" || value.kind === "grade" || (value.kind === "words" && isResultWords(value.value));

/** Kinds of labels before values that are no test names. */
const NO_NAMES: ReadonlySet<ColumnKind> = new Set(["name", "value", "flag", "units", "range", "previous", "dated"]);

/** Reports whether a line with a value is a result row rather than a number beside a text. */
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
  if (name === "") return above !== null && (isKnown(above.name) || (hasMore && !hasLabels(above)));
  if (NO_NAMES.has(kindAt(name) ?? "other") && !isKnown(name)) return false;
  if (!/\p{L}/u.test(name) || name.length > 90 || (isLabelled(name) && !isKnown(name) && !hasMore)) return false;
  if (isKnown(name)) return true;
  if (read.isProse && isLabelled(name)) return false;
  if (read.isProse) return isWhollyTold(parts) || (hasMore && (parts.flag !== null || parts.rangeText !== ""));
  if (parts.value.kind === "words" && !isResultWords(parts.value.value)) return false;
  return hasMore || (hasHeadings && (parts.value.kind !== "words" || isResultWords(parts.value.value)));
}

/** The rightmost edge of the names, points. */
const reachOf = (reads: readonly ReadLine[]): number =>
  Math.max(
    0,
    ...reads.flatMap(({ parts, line }) =>
      line.cells.length > 2 && (parts?.units || parts?.rangeText) ? (line.cells[0]?.right ?? 0) : [],
    ),
  );

/** The median pitch of the rows. */
function pitchOf(reads: readonly ReadLine[]): number {
  const tops = reads.filter(({ parts }) => parts).map(({ line }) => line.top);
  return middle(tops.slice(1).map((top, place) => top - (tops[place] ?? 0)));
}

/** A panel heading without the date of the sample. */
const withoutDate = (name: string) =>
  name.replace(
    /\s*[([]?(?:[^()[\]]*\s)?\d{1,4}[/.-]\d{1,2}[/.-]\d{1,4}(?:\s+\d{1,2}:\d{2})?[)\]]?$/,
    (date, at: number) => (at === 0 ? date : ""),
  );

/** Reports whether a line may be a panel heading or part of a name: few words, no sentence. */
function isPanel({ name }: ReadLine): boolean {
  const words = name.split(" ");
  if (words.length > 9 || name.length > 70 || isLabelled(name)) return false;
  return (
    /\p{L}{2}/u.test(name) && !/[.;!?]$/.test(name) && !/^(?:note|comment|see|this|the|performed|method)\b/i.test(name)
  );
}
