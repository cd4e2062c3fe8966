import { printable } from "./printable.ts";

/** How letters look; sizes are points. */
export interface Style {
  readonly font: "Helvetica" | "Helvetica-Bold" | "Courier";
  readonly size: number;
  readonly color: string;
  readonly lineGap?: number;
}

/** Where a text stands: it is broken at the width, points. */
export interface Place {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly align?: "left" | "right" | "center";
}

/** White on each side of a page, points: three quarters of an inch. */
export const MARGIN = 54;
export const INK = "black";
export const MUTED = "#454c52";
export const ACCENT = "#0b3f46";
export const LINE = "#b4bcc2";

/** Begins a PDF; the library is loaded by the first. The same text at the same time is the same file. */
export async function openPdf(title: string, madeAt: number, margin = MARGIN): Promise<PDFKit.PDFDocument> {
  const { default: PDFDocument } = await import("pdfkit");
  const info = { Title: printable(title), CreationDate: new Date(madeAt) };
  return new PDFDocument({ size: "LETTER", margin, info, lang: "en-US", displayTitle: true, bufferPages: true });
}

/** Ends a PDF. @returns the file. */
export function finishPdf(pdf: PDFKit.PDFDocument): Promise<Buffer> {
  const chunks: Buffer[] = [];
  const finished = new Promise<Buffer>((done, fail) => {
    pdf.on("data", (chunk: Buffer) => chunks.push(chunk));
    pdf.once("end", () => done(Buffer.concat(chunks)));
    pdf.once("error", fail);
  });
  pdf.end();
  return finished;
}

const oneLine = (text: string): string => printable(text).replaceAll("\n", " ");

/** The pages of a document that is written from top to bottom, and the pen that writes on them. */
export class Canvas {
  readonly pdf: PDFKit.PDFDocument;

  constructor(pdf: PDFKit.PDFDocument) {
    this.pdf = pdf;
  }

  /** Between the margins. */
  get width(): number {
    return this.pdf.page.width - 2 * MARGIN;
  }

  /** Where the next thing begins, from the upper edge of the page. */
  get top(): number {
    return this.pdf.y;
  }

  set top(y: number) {
    this.pdf.x = MARGIN;
    this.pdf.y = y;
  }

  /** Writes a text; one that is longer than its page goes on to the next. */
  write(style: Style, text: string, { left, top, width, align = "left" }: Place): void {
    this.#use(style).text(printable(text), left, top, { width, align, lineGap: style.lineGap ?? 0 });
  }

  /** Writes one line wherever it is to be, even in the margins. @param end where the line ends; else it begins at left */
  line(style: Style, text: string, { left, top, end }: { left?: number; top: number; end?: number }): void {
    const from = end === undefined ? (left ?? MARGIN) : end - this.widthOf(style, text);
    this.#use(style).text(oneLine(text), from, top, { lineBreak: false });
  }

  /** How wide a text is as one line. */
  widthOf(style: Style, text: string): number {
    return this.#use(style).widthOfString(oneLine(text));
  }

  /** The style, in smaller letters where a text would be wider than its line else. */
  fit(style: Style, text: string, width: number): Style {
    return { ...style, size: style.size * Math.min(1, width / Math.max(1, this.widthOf(style, text))) };
  }

  /** How high a text is when it is broken at a width. */
  heightOf(style: Style, text: string, width: number): number {
    return this.#use(style).heightOfString(printable(text), { width, lineGap: style.lineGap ?? 0 });
  }

  /** Goes on to a new page unless so many points are left on this one. @returns whether it did */
  room(height: number): boolean {
    if (this.top + height <= this.pdf.page.height - MARGIN) return false;
    this.pdf.addPage();
    return true;
  }

  /** A line across the page, or a part of it. */
  rule(top: number, { color = LINE, thickness = 0.6, left = MARGIN, width = this.width } = {}): void {
    this.pdf
      .moveTo(left, top)
      .lineTo(left + width, top)
      .lineWidth(thickness)
      .strokeColor(color)
      .stroke();
  }

  #use({ font, size, color }: Style): PDFKit.PDFDocument {
    return this.pdf.font(font).fontSize(size).fillColor(color);
  }
}
