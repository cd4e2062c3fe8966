import { type Bars, drawBarCode, maxBarsWidth } from "./bar-code.ts";
import {
  ACCENT_COLOR,
  type Canvas,
  INK_COLOR,
  LINE_COLOR,
  MUTED_COLOR,
  PAGE_MARGIN_PT,
  type TextStyle,
} from "./canvas.ts";
import { formatInstant } from "./dates.ts";

/** Title and properties of a document, which PDF viewers show. */
export interface DocumentProperties {
  readonly title: string;
  /** Small line above the title. */
  readonly kicker: string;
  /** Creation time, epoch milliseconds. Documents print it, and the same time gives the same file. */
  readonly createdAt: number;
  /** Notices that readers must see, framed under the title. */
  readonly notices?: readonly string[];
  /** A number printed beside the title as Code 128. */
  readonly barCode?: string;
  /** Header of later pages, which identifies a page separated from the first. */
  readonly runningHeader?: string;
}

const kickerStyle: TextStyle = { font: "Helvetica-Bold", size: 9, color: ACCENT_COLOR };
const titleStyle: TextStyle = { font: "Helvetica-Bold", size: 20, color: INK_COLOR };
const mark: TextStyle = { font: "Helvetica-Bold", size: 8.5, color: INK_COLOR };
const number: TextStyle = { font: "Courier", size: 9, color: INK_COLOR };
const small: TextStyle = { font: "Helvetica", size: 8, color: MUTED_COLOR };
const BARS_HEIGHT = 34;
/** Quiet zone to the left of the bars. */
const QUIET_ZONE_PT = 14;

/** Draws the title block of a document: title, notices and bar code. */
export function drawTitleBlock(canvas: Canvas, about: DocumentProperties, bars: Bars | undefined): void {
  const { title, kicker, notices = [], barCode = "" } = about;
  const ink = bars ? maxBarsWidth(bars) : 0;
  const width = bars ? canvas.width - ink - QUIET_ZONE_PT : canvas.width;
  if (bars) {
    const left = PAGE_MARGIN_PT + canvas.width - ink;
    drawBarCode(canvas.pdf, bars, {
      left: left - QUIET_ZONE_PT,
      top: PAGE_MARGIN_PT,
      width: ink + 2 * QUIET_ZONE_PT,
      height: BARS_HEIGHT,
    });
    canvas.write(number, barCode, { left, top: PAGE_MARGIN_PT + BARS_HEIGHT + 4, width: ink, align: "center" });
  }
  canvas.write(kickerStyle, kicker.toUpperCase(), { left: PAGE_MARGIN_PT, top: PAGE_MARGIN_PT, width });
  canvas.write(titleStyle, title, { left: PAGE_MARGIN_PT, top: canvas.top + 4, width });
  if (notices.length > 0) drawNotices(canvas, notices);
  if (bars) canvas.top = Math.max(canvas.top, PAGE_MARGIN_PT + BARS_HEIGHT + 16);
  canvas.rule(canvas.top + 7, { color: ACCENT_COLOR, thickness: 1.5 });
  canvas.top += 16;
}

function drawNotices(canvas: Canvas, marks: readonly string[]): void {
  const top = canvas.top + 4;
  let left = PAGE_MARGIN_PT;
  for (const text of marks) {
    const width = canvas.widthOf(mark, text) + 14;
    canvas.pdf.rect(left, top, width, 16).lineWidth(1).strokeColor(INK_COLOR).stroke();
    canvas.line(mark, text, { left: left + 7, top: top + 4.6 });
    left += width + 8;
  }
  canvas.top = top + 17;
}

/** Draws the header and footer of a page, once the number of pages is known. */
export function drawHeaderAndFooter(
  canvas: Canvas,
  { kicker, runningHeader = "", createdAt }: DocumentProperties,
  page: number,
  pages: number,
): void {
  const end = PAGE_MARGIN_PT + canvas.width;
  if (page > 1) {
    const isOneLine = canvas.widthOf(small, `${kicker}      ${runningHeader}`) < canvas.width;
    canvas.line(small, kicker, { top: isOneLine ? 30 : 20 });
    canvas.line(canvas.fit(small, runningHeader, canvas.width), runningHeader, { top: 30, end });
    canvas.rule(43, { color: LINE_COLOR });
  }
  const top = canvas.pdf.page.height - 36;
  canvas.line(small, `Created ${formatInstant(new Date(createdAt).toISOString())}`, { top });
  canvas.line(small, `Page ${page} of ${pages}`, { top, end });
}
