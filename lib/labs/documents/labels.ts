import { requisitionNumber } from "../../domain/orders/lab-partner.ts";
import type { Order } from "../../domain/orders/lifecycle/order-transitions.ts";
import { type Bars, drawBarCode, encodeCode128, isScannableAt, type PageBox } from "./bar-code.ts";
import { Canvas, createPdf, finishPdf, INK_COLOR, type TextStyle } from "./canvas.ts";
import { birthDateOf, fullNameOf } from "./patient.ts";

/** Number and collection date of the labels. */
export interface LabelOptions {
  readonly count: number;
  /** Collection date of the sample, YYYY-MM-DD. */
  readonly collectionDate: string;
  /** Epoch milliseconds. */
  readonly createdAt: number;
}

/** A US letter sheet of labels of one size, as sold; points. */
interface LabelSheet {
  readonly columns: number;
  readonly rows: number;
  readonly width: number;
  readonly height: number;
  /** Distance between the left edges of adjacent labels. */
  readonly pitch: number;
  /** Left and top margin of the sheet. */
  readonly left: number;
  readonly top: number;
  /** Font scale relative to the small labels. */
  readonly scale: number;
}

type Scaled = Pick<LabelSheet, "scale">;

/** 30 labels of 2 5/8 by 1 inch, which fit around a tube. */
const small: LabelSheet = { columns: 3, rows: 10, width: 189, height: 72, pitch: 198, left: 13.5, top: 36, scale: 1 };
/** 10 labels of 4 by 2 inches, for longer numbers. */
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
/** Padding within a label, since printers feed sheets inaccurately. */
const PADDING = 7;
/** Minimum font size of a legible name. */
const MIN_NAME_SIZE_PT = 7;

const bold: TextStyle = { font: "Helvetica-Bold", size: 9, color: INK_COLOR };
const plain: TextStyle = { font: "Helvetica", size: 7.5, color: INK_COLOR };
const number: TextStyle = { font: "Courier", size: 7.5, color: INK_COLOR };

/**
 * Draws tube labels of an order: patient, date of birth, number with bar code, and collection date. The number is the
 * sample number if its bar code fits a label, else the requisition number.
 * @returns a PDF document.
 */
export async function drawLabels(order: Order, { count, collectionDate, createdAt }: LabelOptions): Promise<Buffer> {
  const { id, bars, labels } = await selectLabels(order);
  const pdf = await createPdf("Sample labels", createdAt, 0);
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

/** Selects the number, its bar code, and the smallest labels on which the bar code can be scanned. */
async function selectLabels(order: Order): Promise<{ id: string; bars: Bars; labels: LabelSheet }> {
  const sample = order.sample_id ?? "";
  if (/^[\x20-\x7e]+$/.test(sample)) {
    const bars = await encodeCode128(sample);
    const labels = [small, large].find(({ width, scale }) => isScannableAt(bars, width - 2 * PADDING * scale));
    if (labels) return { id: sample, bars, labels };
  }
  const id = requisitionNumber(order.id);
  return { id, bars: await encodeCode128(id), labels: small };
}

interface Label {
  readonly order: Order;
  readonly id: string;
  readonly bars: Bars;
  readonly collectionDate: string;
}

function drawLabel(
  canvas: Canvas,
  { order, id, bars, collectionDate }: Label,
  { scale, ...box }: PageBox & Scaled,
): void {
  const padding = PADDING * scale;
  const left = box.left + padding;
  const width = box.width - 2 * padding;
  const bottom = box.top + box.height - padding;
  const styled = (style: TextStyle) => ({ ...style, size: style.size * scale });
  let top = box.top + padding;
  for (const line of nameLines(canvas, order, width / scale)) {
    canvas.line(canvas.fit(styled(bold), line, width), line, { left, top });
    top += 10 * scale;
  }
  canvas.line(styled(plain), `DOB ${birthDateOf(order)}`, { left, top });
  canvas.line(styled(plain), `Coll. ${collectionDate}`, { top, end: left + width });
  const idTop = bottom - 7 * scale;
  const barsTop = top + 9.5 * scale;
  drawBarCode(canvas.pdf, bars, { left, top: barsTop, width, height: idTop - 2.5 * scale - barsTop });
  const idStyle = canvas.fit(styled(number), id, width);
  canvas.line(idStyle, id, { left: left + (width - canvas.widthOf(idStyle, id)) / 2, top: idTop });
}

/** The name on one line if legible, else the first name above the last name. */
function nameLines(canvas: Canvas, { patient_details: patient }: Order, width: number): string[] {
  const name = fullNameOf(patient);
  const { size } = canvas.fit(bold, name, width);
  const parts = [patient?.first_name, patient?.last_name].flatMap((part) => part ?? []);
  return size >= MIN_NAME_SIZE_PT || parts.length < 2 ? [name] : parts;
}
