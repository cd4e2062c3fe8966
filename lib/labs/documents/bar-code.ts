/** A box on a page, points from its upper left corner. */
export interface Box {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** Widths of bars and spaces in turn, in modules; the first is a bar. */
export type Bars = readonly number[];

/** What scanners need free of ink before and after the bars, modules. */
const QUIET = 10;
/** Printers of offices hold this width, and scanners read it: 7.6 thousandths of an inch. */
const NARROWEST_PT = 0.55;
const WIDEST_PT = 1;

/** Encodes a text as Code 128; the library is loaded by the first. @throws for what is not printable ASCII. */
export async function code128(text: string): Promise<Bars> {
  if (!/^[\x20-\x7e]+$/.test(text)) throw new RangeError("only printable ASCII can be a bar code");
  const { default: bwip } = await import("bwip-js/generic");
  const [symbol] = bwip.raw("code128", text, {});
  if (!symbol || !("sbs" in symbol)) throw new Error("the bar code has no bars");
  return symbol.sbs;
}

const modulesOf = (bars: Bars): number => bars.reduce((total, width) => total + width, 2 * QUIET);

/** How wide bars are when there is room for them, without what stays white at their sides, points. */
export const inkWidth = (bars: Bars): number => (modulesOf(bars) - 2 * QUIET) * WIDEST_PT;

/** Whether bars can be read when they are drawn within so many points. */
export const fits = (bars: Bars, width: number): boolean => width / modulesOf(bars) >= NARROWEST_PT;

/** Draws bars as rectangles in the middle of a box, with what must stay white at their sides. */
export function drawBars(pdf: PDFKit.PDFDocument, bars: Bars, { left, top, width, height }: Box): void {
  const module = Math.min(WIDEST_PT, width / modulesOf(bars));
  let x = left + (width - module * modulesOf(bars)) / 2 + module * QUIET;
  for (const [index, modules] of bars.entries()) {
    if (index % 2 === 0) pdf.rect(x, top, modules * module, height);
    x += modules * module;
  }
  pdf.fill("black");
}
