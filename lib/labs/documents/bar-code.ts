/** A box on a page, in points from the upper left corner. */
export interface PageBox {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** Widths of bars and spaces in turn, in modules, starting with a bar. */
export type Bars = readonly number[];

/** Quiet zone on each side of the bars, modules. */
const QUIET_ZONE_MODULES = 10;
/** Minimum module width that office printers hold and scanners read: 7.6 thousandths of an inch. */
const MIN_MODULE_PT = 0.55;
const MAX_MODULE_PT = 1;

/**
 * Encodes a text as Code 128. The first call loads the library.
 * @throws RangeError if the text is not printable ASCII.
 */
export async function encodeCode128(text: string): Promise<Bars> {
  if (!/^[\x20-\x7e]+$/.test(text)) throw new RangeError("a bar code requires printable ASCII");
  const { default: bwip } = await import("bwip-js/generic");
  const [symbol] = bwip.raw("code128", text, {});
  if (!symbol || !("sbs" in symbol)) throw new Error("the bar code has no bars");
  return symbol.sbs;
}

const countModules = (bars: Bars): number => bars.reduce((total, width) => total + width, 2 * QUIET_ZONE_MODULES);

/** Width of the bars at the maximum module width, without quiet zones, points. */
export const maxBarsWidth = (bars: Bars): number => (countModules(bars) - 2 * QUIET_ZONE_MODULES) * MAX_MODULE_PT;

/** Reports whether scanners can read the bars at a width in points. */
export const isScannableAt = (bars: Bars, width: number): boolean => width / countModules(bars) >= MIN_MODULE_PT;

/** Draws the bars as rectangles in the middle of a box, including the quiet zones. */
export function drawBarCode(pdf: PDFKit.PDFDocument, bars: Bars, { left, top, width, height }: PageBox): void {
  const module = Math.min(MAX_MODULE_PT, width / countModules(bars));
  let x = left + (width - module * countModules(bars)) / 2 + module * QUIET_ZONE_MODULES;
  for (const [index, modules] of bars.entries()) {
    if (index % 2 === 0) pdf.rect(x, top, modules * module, height);
    x += modules * module;
  }
  pdf.fill("black");
}
