import { createRequire } from "node:module";
import { createCanvas, GlobalFonts } from "@napi-rs/canvas";
import PDFDocument from "pdfkit";

const ARIMO = createRequire(import.meta.url).resolve("@expo-google-fonts/arimo/400Regular/Arimo_400Regular.ttf");

/** Rows of a report: name, value, flag, range and unit, without similar letters (l, I, 1). */
const sampleRows = [
  ["Glucose", "112", "H", "65-99", "mg/dL"],
  ["Creatinine", "0.94", "", "0.60-1.29", "mg/dL"],
  ["Potassium", "4.2", "", "3.5-5.3", "mmol/L"],
  ["Cholesterol, Total", "201", "H", "<200", "mg/dL"],
  ["Hemoglobin", "13.9", "H", "11.7-13.2", "g/dL"],
  ["T4, Free", "1.87", "", "0.80-1.80", "ng/dL"],
] as const;

/** The left edges of the columns, in points. */
const columns = [54, 234, 300, 350, 450];
const FIRST_LINE = 120;
const LINE_HEIGHT = 18;

/** The look of a drawn page. The default is a plain sheet at 300 dpi. */
interface Look {
  readonly dpi?: number;
  /** The clockwise rotation of the page. */
  readonly degrees?: number;
  /** Whether one side is darker. */
  readonly isUneven?: boolean;
  readonly isBoxed?: boolean;
  readonly hasLeaders?: boolean;
}

/** The words of the sample rows in reading order. */
export const sampleWords = sampleRows.flatMap((row) => row.join(" ").split(/\s+/)).filter((word) => word !== "");

/** Draws the sample rows on a canvas. */
export function drawPage({ dpi = 300, degrees = 0, isUneven = false, isBoxed = false, hasLeaders = false }: Look = {}) {
  GlobalFonts.registerFromPath(ARIMO, "Arimo");
  const scale = dpi / 72;
  const canvas = createCanvas(Math.round(612 * scale), Math.round(792 * scale));
  const context = canvas.getContext("2d");
  context.fillStyle = "white";
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.translate(canvas.width / 2, canvas.height / 2);
  context.rotate((degrees * Math.PI) / 180);
  context.scale(scale, scale);
  context.translate(-306, -396);
  context.fillStyle = "black";
  context.font = "10px Arimo";
  for (const [at, row] of sampleRows.entries()) {
    const y = FIRST_LINE + at * LINE_HEIGHT;
    for (const [column, text] of row.entries()) context.fillText(text, columns[column] ?? 0, y);
    if (hasLeaders) for (let x = 160; x < 228; x += 4) context.fillText(".", x, y);
    if (isBoxed) context.strokeRect(50, y - 13, 512, LINE_HEIGHT);
  }
  context.resetTransform();
  if (isUneven) {
    const shade = context.createLinearGradient(0, 0, canvas.width, canvas.height);
    shade.addColorStop(0, "rgba(0,0,0,0)");
    shade.addColorStop(1, "rgba(40,30,0,0.55)");
    context.fillStyle = shade;
    context.fillRect(0, 0, canvas.width, canvas.height);
  }
  return canvas;
}

/** The bytes of a PDF. */
export function createPdfBytes(
  draw: (document: PDFKit.PDFDocument) => void,
  options: PDFKit.PDFDocumentOptions = {},
): Promise<Uint8Array> {
  return new Promise((done) => {
    const document = new PDFDocument({ size: "letter", margin: 0, ...options });
    const chunks: Buffer[] = [];
    document.on("data", (chunk: Buffer) => chunks.push(chunk));
    document.on("end", () => done(new Uint8Array(Buffer.concat(chunks))));
    draw(document);
    document.end();
  });
}

/** Writes the rows as text, each word at its position in `drawPage`. */
export function writeSampleRows(document: PDFKit.PDFDocument): void {
  document.font("Helvetica").fontSize(10);
  for (const [at, row] of sampleRows.entries())
    for (const [column, text] of row.entries())
      if (text !== "")
        document.text(text, columns[column] ?? 0, FIRST_LINE + at * LINE_HEIGHT, {
          baseline: "alphabetic",
          lineBreak: false,
        });
}
