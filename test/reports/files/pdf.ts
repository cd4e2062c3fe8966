import PDFDocument from "pdfkit";
import type { DrawnPage, PageShape, TextRun } from "../pages/drawn-page.ts";
import { fontFace, textWidth } from "../pages/fonts.ts";

/** Fixed, so that the same report gives the same file. */
const CREATED_AT = new Date(Date.UTC(2025, 0, 2));
/** The characters used here that the standard fonts of PDF readers contain. */
const STANDARD_FONT_TEXT = /^[\x20-\x7e\u00a0-\u00ff–]*$/;

function finished(pdf: PDFKit.PDFDocument): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  return new Promise((resolve, reject) => {
    pdf.on("data", (chunk: Buffer) => chunks.push(chunk));
    pdf.once("end", () => resolve(new Uint8Array(Buffer.concat(chunks))));
    pdf.once("error", reject);
    pdf.end();
  });
}

const colour = (grey: number): [number, number, number] => [grey, grey, grey];

function drawShape(pdf: PDFKit.PDFDocument, shape: PageShape): void {
  switch (shape.kind) {
    case "line":
      pdf.moveTo(shape.x1, shape.y1).lineTo(shape.x2, shape.y2).lineWidth(shape.width).stroke(colour(shape.grey));
      break;
    case "frame":
      pdf.rect(shape.x, shape.y, shape.width, shape.height).lineWidth(0.6).stroke(colour(shape.grey));
      break;
    case "fill":
      pdf.rect(shape.x, shape.y, shape.width, shape.height).fill(colour(shape.grey));
      break;
    case "disc":
      pdf.circle(shape.x, shape.y, shape.radius).fill(colour(shape.grey));
  }
}

/** Joins the runs of one baseline and font to one text padded with spaces, as line printers write. */
function padPrinterLines(runs: readonly TextRun[]): TextRun[] {
  const lines = new Map<string, TextRun>();
  for (const run of runs.toSorted((left, right) => left.x - right.x)) {
    const key = `${run.y.toFixed(1)}/${run.font.family}/${run.size}/${run.turn}`;
    const line = lines.get(key);
    if (line === undefined) {
      lines.set(key, run);
      continue;
    }
    const cell = textWidth("0", run.font, run.size);
    const column = Math.max(Math.round((run.x - line.x) / cell), line.text.length + 1);
    lines.set(key, { ...line, text: `${line.text.padEnd(column)}${run.text}` });
  }
  return [...lines.values()];
}

function drawRun(pdf: PDFKit.PDFDocument, run: TextRun, hasStandardFonts: boolean): void {
  const { path, standard } = fontFace(run.font);
  const font = hasStandardFonts && standard !== null && STANDARD_FONT_TEXT.test(run.text) ? standard : path;
  pdf.font(font).fontSize(run.size).fillColor(colour(run.grey));
  if (run.turn !== 0) pdf.save().rotate(-run.turn, { origin: [run.x, run.y] });
  pdf.text(run.text, run.x, run.y, { lineBreak: false, baseline: "alphabetic" });
  if (run.turn !== 0) pdf.restore();
}

/** Renders pages as a PDF with a text layer. */
export function renderTextPdf(
  pages: readonly DrawnPage[],
  how: { readonly hasStandardFonts: boolean; readonly isPrinterText: boolean },
): Promise<Uint8Array> {
  const pdf = new PDFDocument({ autoFirstPage: false, margin: 0, info: { CreationDate: CREATED_AT } });
  for (const page of pages) {
    pdf.addPage({ size: [page.width, page.height], margin: 0 });
    for (const shape of page.shapes) drawShape(pdf, shape);
    for (const run of how.isPrinterText ? padPrinterLines(page.runs) : page.runs)
      drawRun(pdf, run, how.hasStandardFonts);
  }
  return finished(pdf);
}

/** Renders images as a PDF without text, one per page of the given size. */
export function renderImagePdf(images: readonly Uint8Array[], pages: readonly DrawnPage[]): Promise<Uint8Array> {
  const pdf = new PDFDocument({ autoFirstPage: false, margin: 0, info: { CreationDate: CREATED_AT } });
  images.forEach((image, place) => {
    const { width, height } = pages[place] ?? { width: 612, height: 792 };
    pdf.addPage({ size: [width, height], margin: 0 });
    pdf.image(Buffer.from(image), 0, 0, { width, height });
  });
  return finished(pdf);
}
