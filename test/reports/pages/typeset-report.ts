import type { ReportContent, ReportSection } from "../content/report-content.ts";
import type { DrawnPage } from "./drawn-page.ts";
import { type Font, textWidth } from "./fonts.ts";
import { type PlacedColumn, placeColumns, placeColumnsUnderName } from "./place-columns.ts";
import { RowSetter } from "./row-setter.ts";
import { Sheet } from "./sheet.ts";

/** Typesets a report on pages. */
class ReportSetter {
  readonly #sheet: Sheet;
  readonly #content: ReportContent;
  readonly #columns: readonly PlacedColumn[];
  readonly #rows: RowSetter;
  readonly #regular: Font;
  readonly #bold: Font;

  constructor(content: ReportContent) {
    this.#content = content;
    this.#sheet = new Sheet(content);
    const place = content.layout.isTwoLine ? placeColumnsUnderName : placeColumns;
    this.#columns = place(content, this.#sheet.width);
    this.#rows = new RowSetter(this.#sheet, this.#columns);
    this.#regular = { family: content.layout.font, isBold: false };
    this.#bold = { family: content.layout.font, isBold: true };
  }

  pages(): DrawnPage[] {
    const { layout, sections } = this.#content;
    const heights = sections.map(
      ({ rows }) => layout.size * 3 + rows.reduce((sum, row) => sum + this.#rows.height(row), 0),
    );
    this.#sheet.balance(heights.reduce((sum, height) => sum + height, 0));
    if (layout.repeatsTitles === "page" || layout.repeatsTitles === "once") this.#titles();
    for (const section of sections) this.#section(section);
    this.#notesAtEnd();
    return this.#sheet.finish();
  }

  #titles(): void {
    const { layout } = this.#content;
    const { size } = layout;
    const sheet = this.#sheet;
    const height = size * 1.7;
    if (layout.rules === "grid" || layout.rules === "zebra")
      sheet.page.fill(sheet.left, sheet.y, sheet.width, height, 225);
    for (const column of this.#columns) {
      const wide = textWidth(column.title, this.#bold, size);
      const free = column.width - 7 - wide;
      const shift = column.align === "right" ? free : column.align === "center" ? free / 2 : 0;
      const inset = column.field === "test" ? 2 : 0;
      sheet.page.write(column.title, sheet.left + column.left + inset + shift, sheet.y + size * 1.15, this.#bold, size);
    }
    if (layout.rules === "grid") this.#rows.grid(sheet.y, height);
    else if (layout.rules !== "zebra")
      sheet.page.line(sheet.left, sheet.y + height, sheet.left + sheet.width, sheet.y + height, 0.8);
    sheet.y += height + size * 0.3;
  }

  #advance(): void {
    this.#sheet.advance();
    if (this.#content.layout.repeatsTitles === "page") this.#titles();
  }

  #section({ title, rows }: ReportSection): void {
    const { layout } = this.#content;
    const [first, second] = rows;
    const heading = layout.size * 3 + (layout.repeatsTitles === "section" ? layout.size * 2 : 0);
    const need = heading + [first, second].reduce((sum, row) => sum + (row ? this.#rows.height(row) : 0), 0);
    if (!this.#sheet.hasRoom(need)) this.#advance();
    this.#heading(title);
    if (layout.repeatsTitles === "section") this.#titles();
    let boxTop = this.#sheet.y;
    rows.forEach((row, place) => {
      if (!this.#sheet.hasRoom(this.#rows.height(row))) {
        this.#box(boxTop);
        this.#advance();
        if (layout.sections === "bar" || layout.sections === "boxed") this.#heading(`${title} (continued)`);
        boxTop = this.#sheet.y;
      }
      this.#rows.set(row, place);
    });
    this.#box(boxTop);
    this.#sheet.y += layout.size * 0.7;
  }

  #box(top: number): void {
    const sheet = this.#sheet;
    if (this.#content.layout.rules === "box" && sheet.y > top)
      sheet.page.frame(sheet.left - 3, top, sheet.width + 6, sheet.y - top + 1);
  }

  #heading(title: string): void {
    const { layout } = this.#content;
    const sheet = this.#sheet;
    const size = layout.sections === "spaced" ? layout.size + 1.5 : layout.size;
    const height = size * 1.65;
    const base = sheet.y + size * 1.15;
    const width = textWidth(title, this.#bold, size);
    if (layout.sections === "bar") sheet.page.fill(sheet.left, sheet.y, sheet.width, height, 214);
    if (layout.sections === "boxed") sheet.page.frame(sheet.left, sheet.y, sheet.width, height);
    if (layout.sections === "rule")
      sheet.page.line(sheet.left, sheet.y + height, sheet.left + sheet.width, sheet.y + height, 0.8);
    if (layout.sections === "underlined")
      sheet.page.line(sheet.left + 2, base + 2, sheet.left + 2 + width, base + 2, 0.7);
    const centred = layout.sections === "boxed" ? (sheet.width - width) / 2 : 2;
    sheet.page.write(title, sheet.left + centred, base, layout.sections === "none" ? this.#regular : this.#bold, size);
    sheet.y += height + size * 0.35;
  }

  #notesAtEnd(): void {
    const { layout, sections, closing } = this.#content;
    const found =
      layout.notes === "end"
        ? sections.flatMap(({ rows }) =>
            rows.flatMap(({ notes, truth }) => (notes.length ? [`${truth.test_name}:`, ...notes] : [])),
          )
        : [];
    const lines = [...(found.length ? ["Comments"] : []), ...found, ...closing];
    for (const line of lines) this.#rows.text(line, 0, () => this.#sheet.advance());
  }
}

/** Typesets a report. @returns its drawn pages. */
export function typesetReport(content: ReportContent): DrawnPage[] {
  return content.layout.form === null ? new ReportSetter(content).pages() : content.layout.form.drawPages(content);
}
