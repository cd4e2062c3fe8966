import { encodeCode128 } from "./bar-code.ts";
import {
  ACCENT_COLOR,
  Canvas,
  createPdf,
  finishPdf,
  INK_COLOR,
  MUTED_COLOR,
  PAGE_MARGIN_PT,
  type TextStyle,
} from "./canvas.ts";
import { type DocumentProperties, drawHeaderAndFooter, drawTitleBlock } from "./page-header.ts";
import { drawTable, type TableColumn, type TableRow } from "./table.ts";

const headingStyle: TextStyle = { font: "Helvetica-Bold", size: 12, color: ACCENT_COLOR };
const plain: TextStyle = { font: "Helvetica", size: 10, color: INK_COLOR, lineGap: 2 };
const name: TextStyle = { font: "Helvetica", size: 8, color: MUTED_COLOR };
const small: TextStyle = { font: "Helvetica", size: 8.5, color: MUTED_COLOR, lineGap: 2 };
const step: TextStyle = { font: "Helvetica-Bold", size: 9, color: "white" };

const strong: TextStyle = { ...plain, font: "Helvetica-Bold" };

/** A label and its value, which may be in bold. */
export type Fact = readonly [name: string, value: string, style?: "strong"];

/** A printable document on US letter pages, written from top to bottom with automatic page breaks. */
export class PrintableDocument {
  readonly #canvas: Canvas;
  readonly #about: DocumentProperties;

  private constructor(canvas: Canvas, about: DocumentProperties) {
    this.#canvas = canvas;
    this.#about = about;
  }

  /** Starts a document with its title block. */
  static async open(about: DocumentProperties): Promise<PrintableDocument> {
    const bars = about.barCode === undefined ? undefined : await encodeCode128(about.barCode);
    const sheet = new PrintableDocument(new Canvas(await createPdf(about.title, about.createdAt)), about);
    drawTitleBlock(sheet.#canvas, about, bars);
    return sheet;
  }

  /** A section heading. @param kept points of the following content to keep on the same page */
  heading(text: string, kept = 80): this {
    const canvas = this.#canvas;
    if (!canvas.ensureSpace(30 + kept)) canvas.top += 9;
    canvas.write(headingStyle, text, { left: PAGE_MARGIN_PT, top: canvas.top, width: canvas.width });
    canvas.top += 3;
    return this;
  }

  /** A paragraph of running text. */
  paragraph(text: string): this {
    return this.#flow(plain, text, 4);
  }

  /** A remark in small print. */
  note(text: string): this {
    this.#canvas.top += 7;
    return this.#flow(small, text, 0);
  }

  /** Labels with their values, in rows of two or three. */
  facts(facts: readonly Fact[], columns: 2 | 3 = 2): this {
    const canvas = this.#canvas;
    const width = canvas.width / columns;
    const styleOf = ([, , style]: Fact) => (style ? strong : plain);
    for (let first = 0; first < facts.length; first += columns) {
      const row = facts.slice(first, first + columns);
      const height = Math.max(...row.map((fact) => canvas.heightOf(styleOf(fact), fact[1], width - 12))) + 16;
      canvas.ensureSpace(height);
      const { top } = canvas;
      for (const [index, fact] of row.entries()) {
        const left = PAGE_MARGIN_PT + index * width;
        canvas.write(name, fact[0], { left, top, width: width - 12 });
        canvas.write(styleOf(fact), fact[1], { left, top: top + 11, width: width - 12 });
      }
      canvas.top = top + height;
    }
    return this;
  }

  /** Numbered steps. */
  steps(steps: readonly string[]): this {
    const canvas = this.#canvas;
    const left = PAGE_MARGIN_PT + 26;
    for (const [index, text] of steps.entries()) {
      const height = canvas.heightOf(plain, text, canvas.width - 26) + 9;
      canvas.ensureSpace(height);
      const { top } = canvas;
      canvas.pdf.circle(PAGE_MARGIN_PT + 8, top + 4.4, 8.5).fill(ACCENT_COLOR);
      canvas.write(step, String(index + 1), { left: PAGE_MARGIN_PT - 2, top: top + 1.3, width: 20, align: "center" });
      canvas.write(plain, text, { left, top, width: canvas.width - 26 });
      canvas.top = top + Math.max(height, 22);
    }
    return this;
  }

  /** Options with checkboxes to tick by hand. */
  checkboxes(texts: readonly string[]): this {
    const canvas = this.#canvas;
    for (const text of texts) {
      const height = canvas.heightOf(plain, text, canvas.width - 22) + 6;
      canvas.ensureSpace(height);
      const { top } = canvas;
      canvas.pdf
        .rect(PAGE_MARGIN_PT + 0.5, top - 1, 11, 11)
        .lineWidth(0.9)
        .strokeColor(INK_COLOR)
        .stroke();
      canvas.write(plain, text, { left: PAGE_MARGIN_PT + 22, top, width: canvas.width - 22 });
      canvas.top = top + height;
    }
    return this;
  }

  /** Blank lines to fill in by hand, side by side, with labels below and shares of the page width. */
  fillInLines(lines: readonly (readonly [string, number])[]): this {
    const canvas = this.#canvas;
    canvas.ensureSpace(46);
    const top = canvas.top + 30;
    const shares = lines.reduce((total, [, share]) => total + share, 0);
    let left = PAGE_MARGIN_PT;
    for (const [label, share] of lines) {
      const width = (share / shares) * (canvas.width + 14) - 14;
      canvas.rule(top, { color: INK_COLOR, left, width });
      canvas.line(name, label, { left, top: top + 4 });
      left += width + 14;
    }
    canvas.top = top + 16;
    return this;
  }

  /** A table; see drawTable. */
  table(columns: readonly TableColumn[], rows: readonly (readonly string[] | TableRow)[]): this {
    const isCells = (row: readonly string[] | TableRow): row is readonly string[] => Array.isArray(row);
    drawTable(
      this.#canvas,
      columns,
      rows.map((row) => (isCells(row) ? { cells: row } : row)),
    );
    this.#canvas.top += 5;
    return this;
  }

  /** Finishes the document. @returns the PDF. */
  finish(): Promise<Buffer> {
    const { pdf } = this.#canvas;
    const { count } = pdf.bufferedPageRange();
    for (let page = 0; page < count; page++) {
      pdf.switchToPage(page);
      drawHeaderAndFooter(this.#canvas, this.#about, page + 1, count);
    }
    return finishPdf(pdf);
  }

  #flow(style: TextStyle, text: string, gap: number): this {
    const canvas = this.#canvas;
    canvas.write(style, text, { left: PAGE_MARGIN_PT, top: canvas.top, width: canvas.width });
    canvas.top += gap;
    return this;
  }
}
