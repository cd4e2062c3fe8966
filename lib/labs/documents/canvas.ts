import { toPrintable } from "./printable.ts";

/** Font, size in points and colour of a text. */
export interface TextStyle {
  readonly font: "Helvetica" | "Helvetica-Bold" | "Courier";
  readonly size: number;
  readonly color: string;
  readonly lineGap?: number;
}

/** Position of a text and the width at which it wraps, points. */
export interface TextPosition {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly align?: "left" | "right" | "center";
}

/** Page margin, points: three quarters of an inch. */
export const PAGE_MARGIN_PT = 54;
export const INK_COLOR = "black";
export const MUTED_COLOR = "#454c52";
export const ACCENT_COLOR = "#0b3f46";
export const LINE_COLOR = "#b4bcc2";

/** Creates a PDF. The first call loads the library. The same content and creation time give the same file. */
export async function createPdf(title: string, madeAt: number, margin = PAGE_MARGIN_PT): Promise<PDFKit.PDFDocument> {
  const { default: PDFDocument } = await import("pdfkit");
  const info = { Title: toPrintable(title), CreationDate: new Date(madeAt) };
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

const oneLine = (text: string): string => toPrintable(text).replaceAll("\n", " ");

/** The pages of a document, written from top to bottom. */
export class Canvas {
  readonly pdf: PDFKit.PDFDocument;

  constructor(pdf: PDFKit.PDFDocument) {
    this.pdf = pdf;
  }

  /** Width between the margins. */
  get width(): number {
    return this.pdf.page.width - 2 * PAGE_MARGIN_PT;
  }

  /** Position of the next content, from the upper edge of the page. */
  get top(): number {
    return this.pdf.y;
  }

  set top(y: number) {
    this.pdf.x = PAGE_MARGIN_PT;
    this.pdf.y = y;
  }

  /** Writes a text. A text longer than the page continues on the next one. */
  write(style: TextStyle, text: string, { left, top, width, align = "left" }: TextPosition): void {
    this.#use(style).text(toPrintable(text), left, top, { width, align, lineGap: style.lineGap ?? 0 });
  }

  /**
   * Writes a single line at any position, including the margins.
   * @param end right edge of the line; by default it starts at `left`
   */
  line(style: TextStyle, text: string, { left, top, end }: { left?: number; top: number; end?: number }): void {
    const from = end === undefined ? (left ?? PAGE_MARGIN_PT) : end - this.widthOf(style, text);
    this.#use(style).text(oneLine(text), from, top, { lineBreak: false });
  }

  /** Width of a text on one line. */
  widthOf(style: TextStyle, text: string): number {
    return this.#use(style).widthOfString(oneLine(text));
  }

  /** A style with its size reduced so that the text fits the width. */
  fit(style: TextStyle, text: string, width: number): TextStyle {
    return { ...style, size: style.size * Math.min(1, width / Math.max(1, this.widthOf(style, text))) };
  }

  /** Height of a text that wraps at a width. */
  heightOf(style: TextStyle, text: string, width: number): number {
    return this.#use(style).heightOfString(toPrintable(text), { width, lineGap: style.lineGap ?? 0 });
  }

  /** Starts a new page unless the current one has this many points left. @returns whether it did */
  ensureSpace(height: number): boolean {
    if (this.top + height <= this.pdf.page.height - PAGE_MARGIN_PT) return false;
    this.pdf.addPage();
    return true;
  }

  /** Draws a horizontal line across the page or a part of it. */
  rule(top: number, { color = LINE_COLOR, thickness = 0.6, left = PAGE_MARGIN_PT, width = this.width } = {}): void {
    this.pdf
      .moveTo(left, top)
      .lineTo(left + width, top)
      .lineWidth(thickness)
      .strokeColor(color)
      .stroke();
  }

  #use({ font, size, color }: TextStyle): PDFKit.PDFDocument {
    return this.pdf.font(font).fontSize(size).fillColor(color);
  }
}
