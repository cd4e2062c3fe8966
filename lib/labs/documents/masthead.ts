import { type Bars, drawBars, inkWidth } from "./bar-code.ts";
import { ACCENT, type Canvas, INK, LINE, MARGIN, MUTED, type Style } from "./canvas.ts";
import { instantText } from "./dates.ts";

/** Title and properties of a document, which PDF viewers show. */
export interface SheetAbout {
  readonly title: string;
  /** Small line above the title. */
  readonly kicker: string;
  /** Creation time, epoch milliseconds. Documents print it, and the same time gives the same file. */
  readonly madeAt: number;
  /** Notices that readers must see, framed under the title. */
  readonly marks?: readonly string[];
  /** A number printed beside the title as Code 128. */
  readonly barCode?: string;
  /** Header of later pages, which identifies a page separated from the first. */
  readonly running?: string;
}

const kickerStyle: Style = { font: "Helvetica-Bold", size: 9, color: ACCENT };
const titleStyle: Style = { font: "Helvetica-Bold", size: 20, color: INK };
const mark: Style = { font: "Helvetica-Bold", size: 8.5, color: INK };
const number: Style = { font: "Courier", size: 9, color: INK };
const small: Style = { font: "Helvetica", size: 8, color: MUTED };
const BARS_HEIGHT = 34;
/** Quiet zone to the left of the bars. */
const QUIET = 14;

/** Draws the title block of a document: title, notices and bar code. */
export function drawMasthead(canvas: Canvas, about: SheetAbout, bars: Bars | undefined): void {
  const { title, kicker, marks = [], barCode = "" } = about;
  const ink = bars ? inkWidth(bars) : 0;
  const width = bars ? canvas.width - ink - QUIET : canvas.width;
  if (bars) {
    const left = MARGIN + canvas.width - ink;
    drawBars(canvas.pdf, bars, { left: left - QUIET, top: MARGIN, width: ink + 2 * QUIET, height: BARS_HEIGHT });
    canvas.write(number, barCode, { left, top: MARGIN + BARS_HEIGHT + 4, width: ink, align: "center" });
  }
  canvas.write(kickerStyle, kicker.toUpperCase(), { left: MARGIN, top: MARGIN, width });
  canvas.write(titleStyle, title, { left: MARGIN, top: canvas.top + 4, width });
  if (marks.length > 0) frame(canvas, marks);
  if (bars) canvas.top = Math.max(canvas.top, MARGIN + BARS_HEIGHT + 16);
  canvas.rule(canvas.top + 7, { color: ACCENT, thickness: 1.5 });
  canvas.top += 16;
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

/** Draws the header and footer of a page, once the number of pages is known. */
export function furnish(
  canvas: Canvas,
  { kicker, running = "", madeAt }: SheetAbout,
  page: number,
  pages: number,
): void {
  const end = MARGIN + canvas.width;
  if (page > 1) {
    const isOneLine = canvas.widthOf(small, `${kicker}      ${running}`) < canvas.width;
    canvas.line(small, kicker, { top: isOneLine ? 30 : 20 });
    canvas.line(canvas.fit(small, running, canvas.width), running, { top: 30, end });
    canvas.rule(43, { color: LINE });
  }
  const top = canvas.pdf.page.height - 36;
  canvas.line(small, `Created ${instantText(new Date(madeAt).toISOString())}`, { top });
  canvas.line(small, `Page ${page} of ${pages}`, { top, end });
}
