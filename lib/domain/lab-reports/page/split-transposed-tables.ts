import { formatBounds } from "../row/read-range.ts";
import { isUnit } from "../row/report-units.ts";
import { type PrintedRow, type ReadingContext, readRowParts } from "../row/row-parts.ts";
import { mayBeResultText } from "../row/unread-texts.ts";
import { columnKindByPhrase } from "../table/column-heading.ts";
import type { ColumnKind } from "../table/heading-phrases.ts";
import { startsWithHeaderLabel } from "./header-labels.ts";
import type { Cell, Line } from "./page-lines.ts";
import { readDate } from "./report-dates.ts";

/** A block of a page: lines that are still to be read, or the rows of a block that is read. */
export type PageBlock = { readonly lines: readonly Line[] } | { readonly rows: readonly PrintedRow[] };

/** A row of a transposed table: one part of every test, by its label. */
interface LabelledRow {
  readonly kind: ColumnKind;
  readonly label: Cell;
  readonly cells: readonly Cell[];
}

const ROW_LABEL_KINDS: ReadonlySet<ColumnKind> = new Set([
  "value",
  "dated",
  "units",
  "range",
  "low",
  "high",
  "flag",
  "previous",
  "other",
]);
/** Maximum line distance within a table, in line heights, and the alignment tolerance of its labels. */
const MAX_LINE_DISTANCE = 3.5;
const ALIGNMENT_TOLERANCE_PT = 4;

/** The rows of a block, and the number of its lines. */
interface FoundBlock {
  readonly rows: readonly PrintedRow[];
  readonly length: number;
}

/**
 * Splits off the blocks that `findBlock` finds at a line.
 * @param findBlock `from` is the first line since the previous block.
 */
export function splitBlocks(
  lines: readonly Line[],
  findBlock: (place: number, from: number) => FoundBlock | null,
): PageBlock[] {
  const segments: PageBlock[] = [];
  let from = 0;
  for (let place = 0; place < lines.length; place++) {
    const block = findBlock(place, from);
    if (!block) continue;
    segments.push({ lines: lines.slice(from, place) }, { rows: block.rows });
    from = place + block.length;
    place = from - 1;
  }
  return [...segments, { lines: lines.slice(from) }];
}

/** Splits off transposed tables, in which each test is a column. */
export const splitTransposedTables = (lines: readonly Line[], context: ReadingContext): PageBlock[] =>
  splitBlocks(lines, (place) => findTransposedTable(lines, place, context));

/** The transposed table that starts with a row of names, if any. */
function findTransposedTable(lines: readonly Line[], place: number, context: ReadingContext): FoundBlock | null {
  const [head] = lines.slice(place, place + 1);
  const label = head?.cells[0];
  if (!head || !label || !isNameRow(head, context)) return null;
  const names: Cell[] = head.cells.slice(1);
  const bands: LabelledRow[] = [];
  let length = 1;
  for (; place + length < lines.length; length++) {
    const [line, before] = [lines[place + length], lines[place + length - 1]];
    if (
      !line ||
      !before ||
      line.top - before.top > MAX_LINE_DISTANCE * Math.max(line.bottom - line.top, ALIGNMENT_TOLERANCE_PT)
    )
      break;
    const band = readLabelledRow(line, label);
    if (band) bands.push(band);
    else if (bands.length === 0 && line.left > label.right && line.cells.every(({ text }) => isUnit(text)))
      bands.push({ kind: "units", label, cells: line.cells });
    else if (bands.length === 0 && line.left > label.right) names.push(...line.cells);
    else break;
  }
  const has = (...kinds: ColumnKind[]) => bands.some(({ kind }) => kinds.includes(kind));
  if (!has("value", "dated") || !has("units", "range", "low", "high")) return null;
  return { rows: transposeRows(names, bands, panelTitleAbove(lines.slice(0, place)), context), length };
}

/** Reports whether a line is a row of test names: its label says so, or most of its cells are known names. */
function isNameRow({ cells }: Line, { isKnown }: ReadingContext): boolean {
  const [label, ...names] = cells;
  if (!label || names.length === 0 || names.some(({ text }) => columnKindByPhrase(text) !== undefined)) return false;
  const known = names.filter(({ text }) => isKnown(text)).length;
  return columnKindByPhrase(label.text) === "name"
    ? known > 0 || names.length === 1
    : known >= 2 && known * 2 >= names.length;
}

function readLabelledRow(line: Line, head: Cell): LabelledRow | null {
  const [label, ...cells] = line.cells;
  const kind = label && columnKindByPhrase(label.text);
  if (!kind || !ROW_LABEL_KINDS.has(kind) || Math.abs(label.left - head.left) > ALIGNMENT_TOLERANCE_PT) return null;
  return { kind, label, cells };
}

/** The line above, if it may be a panel heading. */
export function panelTitleAbove(lines: readonly Line[]): string | null {
  const text = lines.at(-1)?.text ?? "";
  return /\p{L}{2}/u.test(text) && text.length < 70 && !startsWithHeaderLabel(text) && !mayBeResultText(text)
    ? text
    : null;
}

/** Transposes the table into rows. The fullest row defines the columns; cells of other rows join the nearest column. */
function transposeRows(
  names: readonly Cell[],
  bands: readonly LabelledRow[],
  panel: string | null,
  context: ReadingContext,
): PrintedRow[] {
  const latest = bands
    .flatMap(({ kind, label }) => (kind === "dated" ? [readDate(label.text) ?? ""] : []))
    .toSorted()
    .at(-1);
  const isSaid = bands.some(({ kind }) => kind === "value");
  const isValue = ({ kind, label }: LabelledRow) =>
    kind === "value" || (kind === "dated" && !isSaid && readDate(label.text) === latest);
  const columns = bands
    .map(({ cells }) => cells)
    .reduce((most, cells) => (cells.length > most.length ? cells : most), []);
  const nearest = (cell: Cell) => columns.toSorted((a, b) => columnDistance(a, cell) - columnDistance(b, cell))[0];
  return columns.flatMap((column) => {
    const of = (cells: readonly Cell[]) => cells.filter((cell) => nearest(cell) === column);
    const under = (kind: ColumnKind) => of(bands.flatMap((band) => (band.kind === kind ? band.cells : [])));
    const values = of(bands.filter(isValue).flatMap(({ cells }) => cells));
    const [low, high] = [under("low"), under("high")];
    const own = { name: of(names), value: values, flag: under("flag"), units: under("units"), range: under("range") };
    const texts = {
      name: textOf(own.name),
      value: textOf(own.value),
      flag: textOf(own.flag),
      units: textOf(own.units),
      range: textOf(own.range) || formatBounds(textOf(low), textOf(high)),
    };
    const parts = readRowParts(texts, context);
    if (!parts || texts.name === "") return [];
    const words = [...Object.values(own), low, high].flatMap((cells) => cells.flatMap((cell) => cell.words));
    const doubled = values.length > 1 || own.flag.length > 1 || own.units.length > 1 ? [texts.value] : [];
    return [{ ...parts, name: texts.name, panel, words, unreadTexts: doubled }];
  });
}

const textOf = (cells: readonly Cell[]) => cells.map(({ text }) => text).join(" ");

/** Distance between two cells as one column, by their centres or left edges. */
function columnDistance(one: Cell, other: Cell): number {
  const middles = Math.abs(one.left + one.right - other.left - other.right) / 2;
  return Math.min(middles, Math.abs(one.left - other.left));
}
