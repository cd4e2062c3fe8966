import { type Bars, drawBars } from "./bar-code.ts";
import { ACCENT, type Canvas, INK, LINE, MARGIN, MUTED, type Style } from "./canvas.ts";
import { instantText } from "./dates.ts";

/** What a document is called and about; readers show it. */
export interface SheetAbout {
  readonly title: string;
  /** Small line above the title. */
  readonly kicker: string;
  /** Epoch milliseconds: documents tell when they were made, and are the same when made again. */
  readonly madeAt: number;
  /** Words that no reader may miss, in frames under the title. */
  readonly marks?: readonly string[];
  /** A number that is scanned; it stands beside the title as Code 128. */
  readonly barCode?: string;
  /** What tells whose a page is that got lost from the first; further pages have it at the top. */
  readonly running?: string;
}

const kickerStyle: Style = { font: "Helvetica-Bold", size: 9, color: ACCENT };
const titleStyle: Style = { font: "Helvetica-Bold", size: 20, color: INK };
const mark: Style = { font: "Helvetica-Bold", size: 8.5, color: INK };
const number: Style = { font: "Courier", size: 9, color: INK };
const small: Style = { font: "Helvetica", size: 8, color: MUTED };
const BARS = { width: 232, height: 34 };

/** Draws what a document begins with: its title and marks, and its bar code beside them. */
export function drawMasthead(canvas: Canvas, about: SheetAbout, bars: Bars | undefined): void {
  const { title, kicker, marks = [], barCode = "" } = about;
  const width = bars ? canvas.width - BARS.width - 12 : canvas.width;
  if (bars) {
    const left = MARGIN + canvas.width - BARS.width;
    drawBars(canvas.pdf, bars, { left, top: MARGIN, ...BARS });
    canvas.write(number, barCode, { left, top: MARGIN + BARS.height + 4, width: BARS.width, align: "center" });
  }
  canvas.write(kickerStyle, kicker.toUpperCase(), { left: MARGIN, top: MARGIN, width });
  canvas.write(titleStyle, title, { left: MARGIN, top: canvas.top + 4, width });
  if (marks.length > 0) frame(canvas, marks);
  if (bars) canvas.top = Math.max(canvas.top, MARGIN + BARS.height + 16);
  canvas.rule(canvas.top + 7, { color: ACCENT, thickness: 1.5 });
  canvas.top += 18;
}

function frame(canvas: Canvas, marks: readonly string[]): void {
  const top = canvas.top + 4;
  let left = MARGIN;
  for (const text of marks) {
    const width = canvas.widthOf(mark, text) + 14;
    canvas.pdf.rect(left, top, width, 16).lineWidth(1).strokeColor(INK).stroke();
    canvas.line(mark, text, { left: left + 7, top: top + 4.6 });
    left += width + 8;
  }
  canvas.top = top + 17;
}

/** Writes what stands in the margins of a page, once the number of pages is known. */
export function furnish(canvas: Canvas, { kicker, running, madeAt }: SheetAbout, page: number, pages: number): void {
  const end = MARGIN + canvas.width;
  if (page > 1) {
    canvas.line(small, kicker, { top: 30 });
    if (running !== undefined) canvas.line(small, running, { top: 30, end });
    canvas.rule(43, { color: LINE });
  }
  const top = canvas.pdf.page.height - 36;
  canvas.line(small, `Made ${instantText(new Date(madeAt).toISOString())}`, { top });
  canvas.line(small, `Page ${page} of ${pages}`, { top, end });
}
