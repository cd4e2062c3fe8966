import type { ColumnKind } from "./heading-words.ts";
import { kindAt } from "./headings.ts";
import { mayBeOfResult } from "./left-over.ts";
import type { Cell, Line } from "./page-lines.ts";
import { boundsText } from "./read-range.ts";
import { readDate } from "./report-dates.ts";
import { isLabelled } from "./report-labels.ts";
import { isUnit } from "./report-units.ts";
import { type PrintedRow, type ReadingContext, readParts } from "./row-parts.ts";

/** A block of a page: lines that are still to be read, or the rows of a block that is read. */
export type Segment = { readonly lines: readonly Line[] } | { readonly rows: readonly PrintedRow[] };

/** A row of a transposed table: one part of every test, by its label. */
interface Band {
  readonly kind: ColumnKind;
  readonly label: Cell;
  readonly cells: readonly Cell[];
}

const KINDS: ReadonlySet<ColumnKind> = new Set([
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
const FARTHEST = 3.5;
const EXACT = 4;

/** Splits off transposed tables, in which each test is a column. */
export function sheetsIn(lines: readonly Line[], context: ReadingContext): Segment[] {
  const segments: Segment[] = [];
  let from = 0;
  for (let place = 0; place < lines.length; place++) {
    const sheet = sheetAt(lines, place, context);
    if (!sheet) continue;
    segments.push({ lines: lines.slice(from, place) }, { rows: sheet.rows });
    from = place + sheet.length;
    place = from - 1;
  }
  return [...segments, { lines: lines.slice(from) }];
}

/** The transposed table that starts with a row of names, if any. */
function sheetAt(
  lines: readonly Line[],
  place: number,
  context: ReadingContext,
): { rows: PrintedRow[]; length: number } | null {
  const [head] = lines.slice(place, place + 1);
  const label = head?.cells[0];
  if (!head || !label || !isHead(head, context)) return null;
  const names: Cell[] = head.cells.slice(1);
  const bands: Band[] = [];
  let length = 1;
  for (; place + length < lines.length; length++) {
    const [line, before] = [lines[place + length], lines[place + length - 1]];
    if (!line || !before || line.top - before.top > FARTHEST * Math.max(line.bottom - line.top, EXACT)) break;
    const band = bandOf(line, label);
    if (band) bands.push(band);
    else if (bands.length === 0 && line.left > label.right && line.cells.every(({ text }) => isUnit(text)))
      bands.push({ kind: "units", label, cells: line.cells });
    else if (bands.length === 0 && line.left > label.right) names.push(...line.cells);
    else break;
  }
  const has = (...kinds: ColumnKind[]) => bands.some(({ kind }) => kinds.includes(kind));
  if (!has("value", "dated") || !has("units", "range", "low", "high")) return null;
  return { rows: rowsOf(names, bands, panelAbove(lines.slice(0, place)), context), length };
}

/** Reports whether a line is a row of test names: its label says so, or most of its cells are known names. */
function isHead({ cells }: Line, { isKnown }: ReadingContext): boolean {
  const [label, ...names] = cells;
  if (!label || names.length === 0 || names.some(({ text }) => kindAt(text) !== undefined)) return false;
  const known = names.filter(({ text }) => isKnown(text)).length;
  return kindAt(label.text) === "name" ? known > 0 || names.length === 1 : known >= 2 && known * 2 >= names.length;
}

function bandOf(line: Line, head: Cell): Band | null {
  const [label, ...cells] = line.cells;
  const kind = label && kindAt(label.text);
  if (!kind || !KINDS.has(kind) || Math.abs(label.left - head.left) > EXACT) return null;
  return { kind, label, cells };
}

/** The line above, if it may be a panel heading. */
export function panelAbove(lines: readonly Line[]): string | null {
  const text = lines.at(-1)?.text ?? "";
  return /\p{L}{2}/u.test(text) && text.length < 70 && !isLabelled(text) && !mayBeOfResult(text) ? text : null;
}

/** Transposes the table into rows. The fullest row defines the columns; cells of other rows join the nearest column. */
function rowsOf(
  names: readonly Cell[],
  bands: readonly Band[],
  panel: string | null,
  context: ReadingContext,
): PrintedRow[] {
  const latest = bands
    .flatMap(({ kind, label }) => (kind === "dated" ? [readDate(label.text) ?? ""] : []))
    .toSorted()
    .at(-1);
  const isSaid = bands.some(({ kind }) => kind === "value");
  const isValue = ({ kind, label }: Band) =>
    kind === "value" || (kind === "dated" && !isSaid && readDate(label.text) === latest);
  const columns = bands
    .map(({ cells }) => cells)
    .reduce((most, cells) => (cells.length > most.length ? cells : most), []);
  const nearest = (cell: Cell) => columns.toSorted((a, b) => away(a, cell) - away(b, cell))[0];
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
      range: textOf(own.range) || boundsText(textOf(low), textOf(high)),
    };
    const parts = readParts(texts, context);
    if (!parts || texts.name === "") return [];
    const words = [...Object.values(own), low, high].flatMap((cells) => cells.flatMap((cell) => cell.words));
    const doubled = values.length > 1 || own.flag.length > 1 || own.units.length > 1 ? [texts.value] : [];
    return [{ ...parts, name: texts.name, panel, words, leftOver: doubled }];
  });
}

const textOf = (cells: readonly Cell[]) => cells.map(({ text }) => text).join(" ");

/** Distance between two cells as one column, by their centres or left edges. */
function away(one: Cell, other: Cell): number {
  const middles = Math.abs(one.left + one.right - other.left - other.right) / 2;
  return Math.min(middles, Math.abs(one.left - other.left));
}
