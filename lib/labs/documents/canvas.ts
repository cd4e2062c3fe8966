import { printable } from "./printable.ts";

/** Font, size in points and colour of a text. */
export interface Style {
  readonly font: "Helvetica" | "Helvetica-Bold" | "Courier";
  readonly size: number;
  readonly color: string;
  readonly lineGap?: number;
}

/** Position of a text and the width at which it wraps, points. */
export interface Place {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly align?: "left" | "right" | "center";
}

/** Page margin, points: three quarters of an inch. */
export const MARGIN = 54;
export const INK = "black";
export const MUTED = "#454c52";
export const ACCENT = "#0b3f46";
export const LINE = "#b4bcc2";

/** Creates a PDF. The first call loads the library. The same content and creation time give the same file. */
export async function openPdf(title: string, madeAt: number, margin = MARGIN): Promise<PDFKit.PDFDocument> {
  const { default: PDFDocument } = await import("pdfkit");
  const info = { Title: printable(title), CreationDate: new Date(madeAt) };
  return new PDFDocument({ size: "LETTER", margin, info, lang: "en-US", displayTitle: true, bufferPages: true });
}

/** Finishes a PDF. @returns the file. */
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

/** The pages of a document, written from top to bottom. */
export class Canvas {
  readonly pdf: PDFKit.PDFDocument;

  constructor(pdf: PDFKit.PDFDocument) {
    this.pdf = pdf;
  }

  /** Width between the margins. */
  get width(): number {
    return this.pdf.page.width - 2 * MARGIN;
  }

  /** Position of the next content, from the upper edge of the page. */
  get top(): number {
    return this.pdf.y;
  }

  set top(y: number) {
    this.pdf.x = MARGIN;
    this.pdf.y = y;
  }

  /** Writes a text. A text longer than the page continues on the next one. */
  write(style: Style, text: string, { left, top, width, align = "left" }: Place): void {
    this.#use(style).text(printable(text), left, top, { width, align, lineGap: style.lineGap ?? 0 });
  }

  /**
   * Writes a single line at any position, including the margins.
   * @param end right edge of the line; by default it starts at `left`
   */
  line(style: Style, text: string, { left, top, end }: { left?: number; top: number; end?: number }): void {
    const from = end === undefined ? (left ?? MARGIN) : end - this.widthOf(style, text);
    this.#use(style).text(oneLine(text), from, top, { lineBreak: false });
  }

  /** Width of a text on one line. */
  widthOf(style: Style, text: string): number {
    return this.#use(style).widthOfString(oneLine(text));
  }

  /** A style with its size reduced so that the text fits the width. */
  fit(style: Style, text: string, width: number): Style {
    return { ...style, size: style.size * Math.min(1, width / Math.max(1, this.widthOf(style, text))) };
  }

  /** Height of a text that wraps at a width. */
  heightOf(style: Style, text: string, width: number): number {
    return this.#use(style).heightOfString(printable(text), { width, lineGap: style.lineGap ?? 0 });
  }

  /** Starts a new page unless the current one has this many points left. @returns whether it did */
  room(height: number): boolean {
    if (this.top + height <= this.pdf.page.height - MARGIN) return false;
    this.pdf.addPage();
    return true;
  }

  /** Draws a horizontal line across the page or a part of it. */
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
