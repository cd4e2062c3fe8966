/** What a document is called and about; readers show it. */
export interface SheetAbout {
  readonly title: string;
  /** Small line above the title. */
  readonly kicker: string;
  /** Epoch milliseconds: documents tell when they were made, and are the same when made again. */
  readonly madeAt: number;
}

/** A column of a table; widths are shares of the page. */
export interface Column {
  readonly name: string;
  readonly share: number;
  readonly isNumber?: boolean;
}

const MARGIN = 54;
const INK = "#1c2733";
const MUTED = "#5b6b7a";
const ACCENT = "#0f6a73";
const LINE = "#d5dde3";
const PLAIN = "Helvetica";
const BOLD = "Helvetica-Bold";
const ROW_PADDING = 5;

/** A printable document on US letter pages, written from top to bottom; what no longer fits goes on to a new page. */
export class Sheet {
  readonly #pdf: PDFKit.PDFDocument;
  readonly #chunks: Buffer[] = [];
  readonly #finished: Promise<Buffer>;

  private constructor(pdf: PDFKit.PDFDocument) {
    this.#pdf = pdf;
    pdf.on("data", (chunk: Buffer) => this.#chunks.push(chunk));
    this.#finished = new Promise((done, fail) => {
      pdf.once("end", () => done(Buffer.concat(this.#chunks)));
      pdf.once("error", fail);
    });
  }

  /** Begins a document with its title; the library is loaded by the first. */
  static async open({ title, kicker, madeAt }: SheetAbout): Promise<Sheet> {
    const { default: PDFDocument } = await import("pdfkit");
    const info = { Title: title, CreationDate: new Date(madeAt) };
    const sheet = new Sheet(
      new PDFDocument({ size: "LETTER", margin: MARGIN, info, lang: "en-US", displayTitle: true }),
    );
    sheet.#text(BOLD, 9, ACCENT).text(kicker.toUpperCase(), { characterSpacing: 0.8 });
    sheet.#text(BOLD, 22, INK).moveDown(0.2).text(title);
    sheet.#rule(ACCENT, 1.5, 10);
    return sheet;
  }

  /** A heading of a part of the document. */
  heading(text: string): this {
    this.#room(60);
    this.#text(BOLD, 12.5, ACCENT).moveDown(0.9).text(text);
    this.#pdf.moveDown(0.35);
    return this;
  }

  /** A paragraph of running text. */
  paragraph(text: string): this {
    this.#text(PLAIN, 10.5, INK).text(text, { lineGap: 2.5 });
    this.#pdf.moveDown(0.4);
    return this;
  }

  /** Names with their values, two pairs in a row. */
  facts(pairs: readonly (readonly [string, string])[]): this {
    const width = this.#width / 2;
    for (let first = 0; first < pairs.length; first += 2) {
      const row = pairs.slice(first, first + 2);
      const height = Math.max(...row.map(([, value]) => this.#height(PLAIN, 10.5, value, width - 12))) + 20;
      this.#room(height);
      const top = this.#pdf.y;
      for (const [index, [name, value]] of row.entries()) {
        const left = MARGIN + index * width;
        this.#text(PLAIN, 8.5, MUTED).text(name, left, top, { width: width - 12 });
        this.#text(PLAIN, 10.5, INK).text(value, left, top + 12, { width: width - 12 });
      }
      this.#pdf.x = MARGIN;
      this.#pdf.y = top + height;
    }
    return this;
  }

  /** Numbered steps. */
  steps(steps: readonly string[]): this {
    const left = MARGIN + 26;
    const width = this.#width - 26;
    for (const [index, step] of steps.entries()) {
      const height = this.#height(PLAIN, 10.5, step, width) + 9;
      this.#room(height);
      const top = this.#pdf.y;
      this.#pdf.circle(MARGIN + 8, top + 4.4, 8.5).fill(ACCENT);
      this.#text(BOLD, 9, "white").text(String(index + 1), MARGIN - 2, top + 1.3, { width: 20, align: "center" });
      this.#text(PLAIN, 10.5, INK).text(step, left, top, { width, lineGap: 2.5 });
      this.#pdf.x = MARGIN;
      this.#pdf.y = top + Math.max(height, 22);
    }
    return this;
  }

  /** A table with a head; a row is never parted by the end of a page. */
  table(columns: readonly Column[], rows: readonly (readonly string[])[]): this {
    const names = columns.map(({ name }) => name);
    this.#row(columns, names, BOLD, MUTED);
    for (const row of rows) this.#row(columns, row, PLAIN, INK);
    this.#pdf.moveDown(0.4);
    return this;
  }

  /** A remark in small letters. */
  note(text: string): this {
    this.#text(PLAIN, 8.5, MUTED).moveDown(0.6).text(text, { lineGap: 2 });
    return this;
  }

  /** Ends the document. @returns it as PDF. */
  finish(): Promise<Buffer> {
    this.#pdf.end();
    return this.#finished;
  }

  #row(columns: readonly Column[], cells: readonly string[], font: string, color: string): void {
    const shares = columns.reduce((total, { share }) => total + share, 0);
    const widths = columns.map(({ share }) => (share / shares) * this.#width);
    const heights = cells.map((cell, index) => this.#height(font, 9.5, cell, (widths[index] ?? 0) - 10));
    const height = Math.max(...heights) + 2 * ROW_PADDING;
    this.#room(height);
    const top = this.#pdf.y;
    let left = MARGIN;
    for (const [index, cell] of cells.entries()) {
      const width = widths[index] ?? 0;
      const align = columns[index]?.isNumber ? "right" : "left";
      this.#text(font, 9.5, color).text(cell, left, top + ROW_PADDING, { width: width - 10, align, lineGap: 1.5 });
      left += width;
    }
    this.#pdf.x = MARGIN;
    this.#pdf.y = top + height;
    this.#rule(LINE, 0.6, 0);
  }

  /** Goes on to a new page unless so many points are left on this one. */
  #room(height: number): void {
    if (this.#pdf.y + height > this.#pdf.page.height - MARGIN) this.#pdf.addPage();
  }

  #rule(color: string, thickness: number, gap: number): void {
    const y = this.#pdf.y + gap;
    this.#pdf
      .moveTo(MARGIN, y)
      .lineTo(MARGIN + this.#width, y)
      .lineWidth(thickness)
      .strokeColor(color)
      .stroke();
    this.#pdf.y = y + gap;
  }

  #text(font: string, size: number, color: string): PDFKit.PDFDocument {
    return this.#pdf.font(font).fontSize(size).fillColor(color);
  }

  #height(font: string, size: number, text: string, width: number): number {
    return this.#pdf.font(font).fontSize(size).heightOfString(text, { width, lineGap: 2.5 });
  }

  get #width(): number {
    return this.#pdf.page.width - 2 * MARGIN;
  }
}
