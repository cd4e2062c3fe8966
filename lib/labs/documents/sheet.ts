import { code128 } from "./bar-code.ts";
import { ACCENT, Canvas, finishPdf, INK, MARGIN, MUTED, openPdf, type Style } from "./canvas.ts";
import { drawMasthead, furnish, type SheetAbout } from "./masthead.ts";
import { type Column, drawTable, type Row } from "./table.ts";

const headingStyle: Style = { font: "Helvetica-Bold", size: 12, color: ACCENT };
const plain: Style = { font: "Helvetica", size: 10, color: INK, lineGap: 2 };
const name: Style = { font: "Helvetica", size: 8, color: MUTED };
const small: Style = { font: "Helvetica", size: 8.5, color: MUTED, lineGap: 2 };
const step: Style = { font: "Helvetica-Bold", size: 9, color: "white" };

const strong: Style = { ...plain, font: "Helvetica-Bold" };

/** A label and its value, which may be in bold. */
export type Fact = readonly [name: string, value: string, style?: "strong"];

/** A printable document on US letter pages, written from top to bottom with automatic page breaks. */
export class Sheet {
  readonly #canvas: Canvas;
  readonly #about: SheetAbout;

  private constructor(canvas: Canvas, about: SheetAbout) {
    this.#canvas = canvas;
    this.#about = about;
  }

  /** Starts a document with its title block. */
  static async open(about: SheetAbout): Promise<Sheet> {
    const bars = about.barCode === undefined ? undefined : await code128(about.barCode);
    const sheet = new Sheet(new Canvas(await openPdf(about.title, about.madeAt)), about);
    drawMasthead(sheet.#canvas, about, bars);
    return sheet;
  }

  /** A section heading. @param kept points of the following content to keep on the same page */
  heading(text: string, kept = 80): this {
    const canvas = this.#canvas;
    if (!canvas.room(30 + kept)) canvas.top += 9;
    canvas.write(headingStyle, text, { left: MARGIN, top: canvas.top, width: canvas.width });
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
      canvas.room(height);
      const { top } = canvas;
      for (const [index, fact] of row.entries()) {
        const left = MARGIN + index * width;
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
    const left = MARGIN + 26;
    for (const [index, text] of steps.entries()) {
      const height = canvas.heightOf(plain, text, canvas.width - 26) + 9;
      canvas.room(height);
      const { top } = canvas;
      canvas.pdf.circle(MARGIN + 8, top + 4.4, 8.5).fill(ACCENT);
      canvas.write(step, String(index + 1), { left: MARGIN - 2, top: top + 1.3, width: 20, align: "center" });
      canvas.write(plain, text, { left, top, width: canvas.width - 26 });
      canvas.top = top + Math.max(height, 22);
    }
    return this;
  }

  /** Options with checkboxes to tick by hand. */
  choices(texts: readonly string[]): this {
    const canvas = this.#canvas;
    for (const text of texts) {
      const height = canvas.heightOf(plain, text, canvas.width - 22) + 6;
      canvas.room(height);
      const { top } = canvas;
      canvas.pdf
        .rect(MARGIN + 0.5, top - 1, 11, 11)
        .lineWidth(0.9)
        .strokeColor(INK)
        .stroke();
      canvas.write(plain, text, { left: MARGIN + 22, top, width: canvas.width - 22 });
      canvas.top = top + height;
    }
    return this;
  }

  /** Blank lines to fill in by hand, side by side, with labels below and shares of the page width. */
  blanks(lines: readonly (readonly [string, number])[]): this {
    const canvas = this.#canvas;
    canvas.room(46);
    const top = canvas.top + 30;
    const shares = lines.reduce((total, [, share]) => total + share, 0);
    let left = MARGIN;
    for (const [label, share] of lines) {
      const width = (share / shares) * (canvas.width + 14) - 14;
      canvas.rule(top, { color: INK, left, width });
      canvas.line(name, label, { left, top: top + 4 });
      left += width + 14;
    }
    canvas.top = top + 16;
    return this;
  }

  /** A table; see drawTable. */
  table(columns: readonly Column[], rows: readonly (readonly string[] | Row)[]): this {
    const isCells = (row: readonly string[] | Row): row is readonly string[] => Array.isArray(row);
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
      furnish(this.#canvas, this.#about, page + 1, count);
    }
    return finishPdf(pdf);
  }

  #flow(style: Style, text: string, gap: number): this {
    const canvas = this.#canvas;
    canvas.write(style, text, { left: MARGIN, top: canvas.top, width: canvas.width });
    canvas.top += gap;
    return this;
  }
}
