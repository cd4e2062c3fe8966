import type { Order } from "../../domain/orders/order-move.ts";
import { requisitionNumber } from "../partner.ts";
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
}

/** 30 labels of 2 5/8 by 1 inch, which go around a tube. */
const small: LabelSheet = { columns: 3, rows: 10, width: 189, height: 72, pitch: 198, left: 13.5, top: 36 };
/** 10 labels of 4 by 2 inches, for numbers that are longer. */
const large: LabelSheet = { columns: 2, rows: 5, width: 288, height: 144, pitch: 301.5, left: 11.25, top: 36 };
/** Free of ink within a label, because sheets do not lie in printers as they should. */
const PADDING = 7;

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
    const { width, height } = labels;
    const box = { left: labels.left + column * labels.pitch, top: labels.top + row * height, width, height };
    drawLabel(canvas, { order, id, bars, collectionDate }, box);
  }
  return finishPdf(pdf);
}

/** The number of the labels, its bars, and the smallest labels from which they can be scanned. */
async function labelled(order: Order): Promise<{ id: string; bars: Bars; labels: LabelSheet }> {
  const sample = order.sample_id ?? "";
  if (/^[\x20-\x7e]+$/.test(sample)) {
    const bars = await code128(sample);
    const labels = [small, large].find(({ width }) => fits(bars, width - 2 * PADDING));
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

function drawLabel(canvas: Canvas, { order, id, bars, collectionDate }: Label, box: Box): void {
  const left = box.left + PADDING;
  const width = box.width - 2 * PADDING;
  const top = box.top + PADDING;
  const name = fitting(canvas, nameOf(order.patient_details), width);
  canvas.line(name.style, name.text, { left, top: top + (bold.size - name.style.size) / 2 });
  canvas.line(plain, `DOB ${birthday(order)}`, { left, top: top + 11 });
  canvas.line(plain, `Coll. ${collectionDate}`, { top: top + 11, end: left + width });
  const barsTop = top + 21;
  drawBars(canvas.pdf, bars, { left, top: barsTop, width, height: box.top + box.height - PADDING - 10 - barsTop });
  const idLeft = left + (width - canvas.widthOf(number, id)) / 2;
  canvas.line(number, id, { left: idLeft, top: box.top + box.height - PADDING - 7.5 });
}

/** The largest letters in which a name is as wide as its label. */
function fitting(canvas: Canvas, text: string, width: number): { style: Style; text: string } {
  const size = bold.size * Math.min(1, width / canvas.widthOf(bold, text));
  return { style: { ...bold, size }, text };
}
