import { type Canvas, INK_COLOR, LINE_COLOR, MUTED_COLOR, PAGE_MARGIN_PT, type TextStyle } from "./canvas.ts";

/** A column of a table; `share` is its share of the page width. */
export interface TableColumn {
  readonly name: string;
  readonly share: number;
  readonly isNumber?: boolean;
}

/** A row with more than its cells. */
export interface TableRow {
  readonly cells: readonly string[];
  /** Bold, so that it stands out in black and white. */
  readonly isStrong?: boolean;
  /** A text below the cells, across the table. */
  readonly below?: string;
}

const PADDING = 4.5;
/** Leading below the last line of a text, which a row omits. */
const LEADING = 3;
const GUTTER_PT = 10;
/** Indent of a text below the cells, and its distance from them. */
const INDENT = 12;
const ABOVE = 4;
const head: TextStyle = { font: "Helvetica-Bold", size: 8.5, color: MUTED_COLOR, lineGap: 1.5 };
const plain: TextStyle = { font: "Helvetica", size: 9.5, color: INK_COLOR, lineGap: 1.5 };
const strong: TextStyle = { ...plain, font: "Helvetica-Bold" };
const small: TextStyle = { font: "Helvetica", size: 8.5, color: MUTED_COLOR, lineGap: 1.5 };

/** Draws a table. Each page repeats the header row. A row breaks across pages only if it is longer than a page. */
export function drawTable(canvas: Canvas, columns: readonly TableColumn[], rows: readonly TableRow[]): void {
  const names = { cells: columns.map(({ name }) => name) };
  const heightOf = (row: TableRow, style: TextStyle) => measure(canvas, columns, row, style);
  const first = rows[0] ? heightOf(rows[0], styleOf(rows[0])) : 0;
  canvas.ensureSpace(heightOf(names, head) + first);
  drawRow(canvas, columns, names, head);
  for (const row of rows) {
    if (canvas.ensureSpace(heightOf(row, styleOf(row)))) drawRow(canvas, columns, names, head);
    drawRow(canvas, columns, row, styleOf(row));
  }
}

const styleOf = ({ isStrong }: TableRow): TextStyle => (isStrong ? strong : plain);

function widthsOf(canvas: Canvas, columns: readonly TableColumn[]): number[] {
  const shares = columns.reduce((total, { share }) => total + share, 0);
  const free = canvas.width - GUTTER_PT * (columns.length - 1);
  return columns.map(({ share }) => (share / shares) * free);
}

function cellsHeight(canvas: Canvas, columns: readonly TableColumn[], { cells }: TableRow, style: TextStyle): number {
  const widths = widthsOf(canvas, columns);
  return Math.max(...cells.map((cell, index) => canvas.heightOf(style, cell, widths[index] ?? 0))) - LEADING;
}

function measure(canvas: Canvas, columns: readonly TableColumn[], row: TableRow, style: TextStyle): number {
  const below = row.below ? canvas.heightOf(small, row.below, canvas.width - INDENT) + ABOVE - LEADING : 0;
  return cellsHeight(canvas, columns, row, style) + below + 2 * PADDING;
}

function drawRow(canvas: Canvas, columns: readonly TableColumn[], row: TableRow, style: TextStyle): void {
  const top = canvas.top + PADDING;
  const bottom = canvas.top + measure(canvas, columns, row, style);
  const under = top + cellsHeight(canvas, columns, row, style) + ABOVE;
  const widths = widthsOf(canvas, columns);
  let left = PAGE_MARGIN_PT;
  for (const [index, cell] of row.cells.entries()) {
    const width = widths[index] ?? 0;
    canvas.write(style, cell, { left, top, width, align: columns[index]?.isNumber ? "right" : "left" });
    left += width + GUTTER_PT;
  }
  if (row.below) {
    canvas.write(small, row.below, { left: PAGE_MARGIN_PT + INDENT, top: under, width: canvas.width - INDENT });
  }
  // A row longer than a page ends at its last text.
  canvas.top = bottom <= canvas.pdf.page.height - PAGE_MARGIN_PT + 1 ? bottom : canvas.top + PADDING;
  canvas.rule(canvas.top, style === head ? { color: INK_COLOR, thickness: 0.8 } : { color: LINE_COLOR });
}
