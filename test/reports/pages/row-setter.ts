import type { ContentRow } from "../content/report-content.ts";
import type { Layout } from "../layouts/layout.ts";
import { breakIntoLines, type Font, textWidth } from "./fonts.ts";
import { COLUMN_GAP_PT, cellText, type PlacedColumn, textStart } from "./place-columns.ts";
import type { Sheet } from "./sheet.ts";

const CONTINUATION = 8;

/** Draws rows of results with their notes. */
export class RowSetter {
  readonly #sheet: Sheet;
  readonly #columns: readonly PlacedColumn[];
  readonly #layout: Layout;
  readonly #regular: Font;
  readonly #bold: Font;

  constructor(sheet: Sheet, columns: readonly PlacedColumn[]) {
    this.#sheet = sheet;
    this.#columns = columns;
    this.#layout = sheet.content.layout;
    this.#regular = { family: this.#layout.font, isBold: false };
    this.#bold = { family: this.#layout.font, isBold: true };
  }

  get #line(): number {
    return this.#layout.size * this.#layout.leading;
  }

  #nameLines(row: ContentRow): string[] {
    const { isTwoLine, size, indent } = this.#layout;
    const own = this.#columns.find(({ field }) => field === "test");
    const width = isTwoLine || own === undefined ? this.#sheet.width : own.width - COLUMN_GAP_PT - indent;
    return breakIntoLines(row.cells.test ?? "", this.#fontOf(row), size, width);
  }

  #fontOf(row: ContentRow): Font {
    return row.isAbnormal && this.#layout.isAbnormalBold ? this.#bold : this.#regular;
  }

  #under(row: ContentRow): string[] {
    const { notes } = this.#layout;
    const shown = notes === "none" || notes === "end" ? [] : row.notes;
    const width = this.#sheet.width - this.#layout.indent - 24;
    return [...(row.method === null ? [] : [row.method]), ...shown].flatMap((line) =>
      breakIntoLines(line, this.#regular, this.#layout.size - 1, width),
    );
  }

  /** Height of a row with its notes. */
  height(row: ContentRow): number {
    const lines = this.#nameLines(row).length + (this.#layout.isTwoLine ? 1 : 0);
    return (
      lines * this.#line + this.#under(row).length * this.#layout.size * 1.2 + (this.#layout.rules === "grid" ? 2 : 0)
    );
  }

  /** Draws a row. @param place index of the row below its heading. */
  set(row: ContentRow, place: number): void {
    const sheet = this.#sheet;
    const { size, rules } = this.#layout;
    const height = this.height(row);
    if (rules === "zebra" && place % 2 === 1) sheet.page.fill(sheet.left, sheet.y, sheet.width, height, 238);
    const base = sheet.y + this.#line * 0.5 + size * 0.36;
    this.#name(row, base);
    this.#cells(row, this.#layout.isTwoLine ? base + this.#line * this.#nameLines(row).length : base);
    this.#comments(row, base);
    if (rules === "grid") this.grid(sheet.y, height);
    sheet.y += height;
    if (rules === "lines") sheet.page.line(sheet.left, sheet.y, sheet.left + sheet.width, sheet.y, 0.4, 150);
  }

  #name(row: ContentRow, base: number): void {
    const { isTwoLine, size, indent } = this.#layout;
    const own = this.#columns.find(({ field }) => field === "test");
    const left = this.#sheet.left + (own?.left ?? 0) + (isTwoLine ? 2 : indent);
    this.#nameLines(row).forEach((line, place) => {
      const font = isTwoLine ? this.#bold : this.#fontOf(row);
      this.#sheet.page.write(line, left + (place > 0 ? CONTINUATION : 0), base + place * this.#line, font, size);
    });
    if (this.#layout.rules === "leaders") this.#leaders(row, base);
  }

  #leaders(row: ContentRow, base: number): void {
    const { size, indent } = this.#layout;
    const own = this.#columns.find(({ field }) => field === "test");
    const value = this.#columns.find(({ field }) => field === "value");
    const first = this.#nameLines(row)[0] ?? "";
    if (own === undefined || value === undefined) return;
    const from = own.left + indent + textWidth(first, this.#fontOf(row), size) + 4;
    const to = value.left + Math.min(0, textStart(row.cells.value ?? "", value, this.#regular, size) - value.left) - 3;
    const count = Math.floor((to - from) / textWidth(".", this.#regular, size));
    if (count > 3) this.#sheet.page.write(".".repeat(count), this.#sheet.left + from, base, this.#regular, size, 90);
  }

  #cells(row: ContentRow, base: number): void {
    const { size } = this.#layout;
    for (const column of this.#columns) {
      if (column.field === "test") continue;
      const text = cellText(column.field, row.cells[column.field] ?? "", this.#layout);
      const font = ["value", "in", "out", "flag"].includes(column.field) ? this.#fontOf(row) : this.#regular;
      this.#sheet.page.write(text, this.#sheet.left + textStart(text, column, font, size), base, font, size);
    }
  }

  #comments(row: ContentRow, base: number): void {
    const { size, isTwoLine, notes, indent } = this.#layout;
    const small = size - 1;
    const sheet = this.#sheet;
    const above = this.#nameLines(row).length + (isTwoLine ? 1 : 0);
    const inset = notes === "indented" ? indent + 16 : indent;
    const top = base + (above - 1) * this.#line;
    const lines = this.#under(row);
    lines.forEach((line, place) => {
      sheet.page.write(line, sheet.left + inset, top + size * 0.1 + (place + 1) * size * 1.2, this.#regular, small, 50);
    });
    if (notes === "boxed" && lines.length > 0)
      sheet.page.frame(sheet.left + inset - 3, top + size * 0.4, sheet.width - inset, lines.length * size * 1.2, 140);
  }

  /** Draws vertical and horizontal lines around cells. */
  grid(top: number, height: number): void {
    const { page, left, width } = this.#sheet;
    page.frame(left - 3, top, width + 3, height, 120);
    for (const column of this.#columns.slice(1))
      page.line(left + column.left - 4, top, left + column.left - 4, top + height, 0.5, 120);
  }

  /** Draws free text over the full width. @param onFull continues at the next free position. */
  text(text: string, inset: number, onFull: () => void): void {
    const small = this.#layout.size - 0.5;
    for (const line of breakIntoLines(text, this.#regular, small, this.#sheet.width - inset)) {
      if (!this.#sheet.hasRoom(small * 1.4)) onFull();
      this.#sheet.page.write(line, this.#sheet.left + inset, this.#sheet.y + small * 1.1, this.#regular, small, 50);
      this.#sheet.y += small * 1.35;
    }
  }
}
