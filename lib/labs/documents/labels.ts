import { requisitionNumber } from "../../domain/orders/lab-partner.ts";
import type { Order } from "../../domain/orders/order-move.ts";
import { type Bars, type Box, code128, drawBars, fits } from "./bar-code.ts";
import { Canvas, finishPdf, INK, openPdf, type Style } from "./canvas.ts";
import { birthday, nameOf } from "./patient.ts";

/** How many labels, and for which day. */
export interface LabelsAbout {
  readonly count: number;
  /** When the sample is taken, YYYY-MM-DD. */
  readonly collectionDate: string;
  /** Epoch milliseconds. */
  readonly madeAt: number;
}

/** Labels of one size on a US letter sheet, as they are sold; points. */
interface LabelSheet {
  readonly columns: number;
  readonly rows: number;
  readonly width: number;
  readonly height: number;
  /** From the left edge of a label to that of the next. */
  readonly pitch: number;
  /** White at the left and at the top of the sheet. */
  readonly left: number;
  readonly top: number;
  /** How much larger letters are than on the small ones. */
  readonly scale: number;
}

type Scaled = Pick<LabelSheet, "scale">;

/** 30 labels of 2 5/8 by 1 inch, which go around a tube. */
const small: LabelSheet = { columns: 3, rows: 10, width: 189, height: 72, pitch: 198, left: 13.5, top: 36, scale: 1 };
/** 10 labels of 4 by 2 inches, for numbers that are longer. */
const large: LabelSheet = {
  columns: 2,
  rows: 5,
  width: 288,
  height: 144,
  pitch: 301.5,
  left: 11.25,
  top: 36,
  scale: 1.5,
};
/** Free of ink within a label, because sheets do not lie in printers as they should. */
const PADDING = 7;
/** Letters of a name that are smaller are hard to read. */
const SMALLEST_PT = 7;

const bold: Style = { font: "Helvetica-Bold", size: 9, color: INK };
const plain: Style = { font: "Helvetica", size: 7.5, color: INK };
const number: Style = { font: "Courier", size: 7.5, color: INK };

/**
 * Draws labels for the tubes of an order: who the sample is of, born when, its number with bars, and the day. The number
 * is that of the sample where it can be scanned from a label, else that of the requisition. @returns a PDF document.
 */
export async function drawLabels(order: Order, { count, collectionDate, madeAt }: LabelsAbout): Promise<Buffer> {
  const { id, bars, labels } = await labelled(order);
  const pdf = await openPdf("Sample labels", madeAt, 0);
  const canvas = new Canvas(pdf);
  const perPage = labels.columns * labels.rows;
  for (let index = 0; index < count; index++) {
    if (index > 0 && index % perPage === 0) pdf.addPage();
    const column = index % labels.columns;
    const row = Math.floor((index % perPage) / labels.columns);
    const box = { ...labels, left: labels.left + column * labels.pitch, top: labels.top + row * labels.height };
    drawLabel(canvas, { order, id, bars, collectionDate }, box);
  }
  return finishPdf(pdf);
}

/** The number of the labels, its bars, and the smallest labels from which they can be scanned. */
async function labelled(order: Order): Promise<{ id: string; bars: Bars; labels: LabelSheet }> {
  const sample = order.sample_id ?? "";
  if (/^[\x20-\x7e]+$/.test(sample)) {
    const bars = await code128(sample);
    const labels = [small, large].find(({ width, scale }) => fits(bars, width - 2 * PADDING * scale));
    if (labels) return { id: sample, bars, labels };
  }
  const id = requisitionNumber(order.id);
  return { id, bars: await code128(id), labels: small };
}

interface Label {
  readonly order: Order;
  readonly id: string;
  readonly bars: Bars;
  readonly collectionDate: string;
}

function drawLabel(canvas: Canvas, { order, id, bars, collectionDate }: Label, { scale, ...box }: Box & Scaled): void {
  const padding = PADDING * scale;
  const left = box.left + padding;
  const width = box.width - 2 * padding;
  const bottom = box.top + box.height - padding;
  const styled = (style: Style) => ({ ...style, size: style.size * scale });
  let top = box.top + padding;
  for (const line of nameLines(canvas, order, width / scale)) {
    canvas.line(canvas.fit(styled(bold), line, width), line, { left, top });
    top += 10 * scale;
  }
  canvas.line(styled(plain), `DOB ${birthday(order)}`, { left, top });
  canvas.line(styled(plain), `Coll. ${collectionDate}`, { top, end: left + width });
  const idTop = bottom - 7 * scale;
  const barsTop = top + 9.5 * scale;
  drawBars(canvas.pdf, bars, { left, top: barsTop, width, height: idTop - 2.5 * scale - barsTop });
  const idStyle = canvas.fit(styled(number), id, width);
  canvas.line(idStyle, id, { left: left + (width - canvas.widthOf(idStyle, id)) / 2, top: idTop });
}

/** A name in one line where that can be read, else the first name above the last. */
function nameLines(canvas: Canvas, { patient_details: patient }: Order, width: number): string[] {
  const name = nameOf(patient);
  const { size } = canvas.fit(bold, name, width);
  const parts = [patient?.first_name, patient?.last_name].flatMap((part) => part ?? []);
  return size >= SMALLEST_PT || parts.length < 2 ? [name] : parts;
}
