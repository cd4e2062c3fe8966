import { type IsKnownName, type JoinedName, joinNameLines } from "../names/join-name-lines.ts";
import { splitUnitFromName } from "../names/split-unit-from-name.ts";
import { startsWithHeaderLabel } from "../page/header-labels.ts";
import { median } from "../page/page-lines.ts";
import { attachUnreadTexts, type PlacedRow } from "../row/attach-unread-texts.ts";
import { flagMeaning } from "../row/read-flag.ts";
import { isRangeLine, type LinesBelow, readLinesBelow } from "../row/read-lines-below.ts";
import { isQualitativeResult } from "../row/read-value.ts";
import type { PrintedRow, ReadingContext, RowParts } from "../row/row-parts.ts";
import { mayBeResultText } from "../row/unread-texts.ts";
import { columnKindByPhrase } from "./column-heading.ts";
import type { ColumnKind } from "./heading-phrases.ts";
import type { LineReading } from "./line-reading.ts";
import { readTableLines, type TableSection } from "./table-section.ts";
import { valueAlignmentCheck } from "./value-alignment-check.ts";

/** Reads the rows of a table section. Joins names that wrap, and assigns panel headings to their rows. */
export function readRows(stretch: TableSection, panelBefore: string | null, context: ReadingContext): PrintedRow[] {
  const { isKnown } = context;
  const reads = readTableLines(stretch, context);
  const isAligned = valueAlignmentCheck(reads, isKnown);
  const rows: PlacedRow[] = [];
  let panel = panelBefore;
  const [pitch, reach] = [linePitch(reads), rightmostNameEdge(reads)];
  let above: LineReading | null = null;
  for (const [place, read] of reads.entries()) {
    if (isFlaggedName(read, reads[place + 1])) above = read;
    else if (read.parts && (isRow(read, above, isKnown, stretch.headings !== null) || isAligned(read))) {
      const rest = reads.slice(place + 1);
      const added = readBelowRow(read, read.parts, rest, stretch.headings !== null, context);
      for (const one of added.usedLines)
        reads[reads.indexOf(one)] = { ...one, name: nameBesideUnit(one, read), parts: null };
      const below = reads[place + 1];
      const name = joinNameLines(read, above, below, pitch, isKnown, reach);
      if (above && !name.usesAbove && isPanel(above)) panel = withoutDate(above.name);
      rows.push({ row: buildRow(read, added, name, above, panel), place });
      above = null;
      if (name.usesBelow) reads.splice(place + 1, 1, { ...(below ?? read), name: "", parts: null });
    } else if (!read.parts && read.name !== "" && (isPanel(read) || isKnown(read.name))) above = read;
    else if (!read.parts && read.name !== "") above = null;
  }
  return attachUnreadTexts(rows, reads);
}

/** Builds a row from its line and the lines above and below it. */
function buildRow(
  read: LineReading,
  { parts, usedLines, unreadTexts }: LinesBelow,
  name: JoinedName,
  above: LineReading | null,
  panel: string | null,
): PrintedRow {
  const whole = name.usesAbove && above ? [above, read, ...usedLines] : [read, ...usedLines];
  const named = parts.units === null ? splitUnitFromName(name.text) : null;
  return {
    ...parts,
    flag: parts.flag ?? (name.usesAbove ? (above?.parts?.value.value ?? null) : null),
    name: named?.name ?? name.text,
    units: named?.units ?? parts.units ?? unitOfPanel(parts, panel),
    panel,
    words: whole.flatMap((one) => one.words),
    unreadTexts: [...read.unreadTexts, ...unreadTexts],
  };
}

/** The unit of numbers in a panel such as `Electrolytes (mmol/L)`. */
const unitOfPanel = ({ value }: RowParts, panel: string | null): string | null =>
  value.kind === "number" ? (splitUnitFromName(panel ?? "")?.units ?? null) : null;

/** Completes a row with the lines up to the next row. */
function readBelowRow(
  read: LineReading,
  own: RowParts,
  rest: readonly LineReading[],
  hasHeadings: boolean,
  context: ReadingContext,
): LinesBelow {
  const isName = (one: LineReading | undefined) => one !== undefined && one.parts === null && one.name !== "";
  const isNext = (one: LineReading, place: number) =>
    one.parts !== null &&
    !isRangeLine(one.line) &&
    (one.name === "" ? isName(rest[place - 1]) : isRow(one, null, context.isKnown, hasHeadings));
  const next = rest.findIndex(isNext);
  return readLinesBelow(read, own, next < 0 ? rest : rest.slice(0, next), rest[next]?.line, context);
}

/** The part of a line under the row's name, if the unit or the range on that line belongs to the row. */
function nameBesideUnit({ line }: LineReading, { valueSpan }: LineReading): string {
  const cells = line.cells.filter(({ right }) => right < (valueSpan?.left ?? 0));
  const text = cells.map((cell) => cell.text).join(" ");
  return mayBeResultText(text) || startsWithHeaderLabel(text) ? "" : text;
}

/** Reports whether a line has only a name and a flag, and the value is on the next line. */
const isFlaggedName = ({ name, parts }: LineReading, next: LineReading | undefined) =>
  name !== "" &&
  parts?.value.kind === "words" &&
  flagMeaning(parts.value.value) !== undefined &&
  isNamelessNumber(next);

const isNamelessNumber = (read: LineReading | undefined) => read?.name === "" && read.parts?.value.kind === "number";

/** Reports whether a line has header labels. */
const hasLabels = ({ line }: LineReading) => line.cells.some(({ text }) => startsWithHeaderLabel(text));

/** Reports whether a value needs no unit and no range. */
const isCompleteValue = ({ value }: RowParts) =>
  value.kind === "titer" || value.kind === "grade" || (value.kind === "words" && isQualitativeResult(value.value));

/** Kinds of labels before values that are no test names. */
const NON_NAME_KINDS: ReadonlySet<ColumnKind> = new Set([
  "name",
  "value",
  "flag",
  "units",
  "range",
  "previous",
  "dated",
]);

/** Reports whether a line with a value is a result row rather than a number beside a text. */
function isRow(read: LineReading, above: LineReading | null, isKnown: IsKnownName, hasHeadings: boolean): boolean {
  const { name, parts } = read;
  if (!parts || !read.hasSeparateValue) return false;
  const { min, max, expected } = parts.range;
  const hasMore =
    parts.units !== null ||
    parts.flag !== null ||
    min !== null ||
    max !== null ||
    (expected !== null && parts.value.kind === "words");
  if (name === "") return above !== null && (isKnown(above.name) || (hasMore && !hasLabels(above)));
  if (NON_NAME_KINDS.has(columnKindByPhrase(name) ?? "other") && !isKnown(name)) return false;
  if (!/\p{L}/u.test(name) || name.length > 90 || (startsWithHeaderLabel(name) && !isKnown(name) && !hasMore))
    return false;
  if (isKnown(name)) return true;
  if (read.isProse && startsWithHeaderLabel(name)) return false;
  if (read.isProse) return isCompleteValue(parts) || (hasMore && (parts.flag !== null || parts.rangeText !== ""));
  if (parts.value.kind === "words" && !isQualitativeResult(parts.value.value)) return false;
  return hasMore || (hasHeadings && (parts.value.kind !== "words" || isQualitativeResult(parts.value.value)));
}

/** The rightmost edge of the names, points. */
const rightmostNameEdge = (reads: readonly LineReading[]): number =>
  Math.max(
    0,
    ...reads.flatMap(({ parts, line }) =>
      line.cells.length > 2 && (parts?.units || parts?.rangeText) ? (line.cells[0]?.right ?? 0) : [],
    ),
  );

/** The median pitch of the rows. */
function linePitch(reads: readonly LineReading[]): number {
  const tops = reads.filter(({ parts }) => parts).map(({ line }) => line.top);
  return median(tops.slice(1).map((top, place) => top - (tops[place] ?? 0)));
}

/** A panel heading without the date of the sample. */
const withoutDate = (name: string) =>
  name.replace(
    /\s*[([]?(?:[^()[\]]*\s)?\d{1,4}[/.-]\d{1,2}[/.-]\d{1,4}(?:\s+\d{1,2}:\d{2})?[)\]]?$/,
    (date, at: number) => (at === 0 ? date : ""),
  );

/** Reports whether a line may be a panel heading or part of a name: few words, no sentence. */
function isPanel({ name }: LineReading): boolean {
  const words = name.split(" ");
  if (words.length > 9 || name.length > 70 || startsWithHeaderLabel(name)) return false;
  return (
    /\p{L}{2}/u.test(name) && !/[.;!?]$/.test(name) && !/^(?:note|comment|see|this|the|performed|method)\b/i.test(name)
  );
}
