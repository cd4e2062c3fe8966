import type { PageImage, PixelBox } from "../image/grey-image.ts";

const INK = 128;
/** Minimum width of the gutter between tables, and minimum height of side-by-side tables, in inches. */
const MIN_GUTTER_INCHES = 0.07;
const MIN_TABLE_HEIGHT_INCHES = 1.5;
/** Position of the gutter, as shares of the page width. */
const GUTTER_FROM_SHARE = 0.3;
const GUTTER_TO_SHARE = 0.7;
/** Minimum height of a text line, in inches. */
const LINE_INCHES = 0.04;
const MIN_LINES = 6;
/** Maximum share of lines of one side that are level with lines of the other. In one table all lines are. */
const MAX_LEVEL_SHARE = 0.6;
/** Tolerance of level lines, as a share of their height. */
const LEVEL_TOLERANCE = 0.22;

/** Splits a page at two side-by-side tables whose lines are not level: the tables, and the areas above and below. */
export function splitSideBySide(page: PageImage): PixelBox[] {
  const whole = { left: 0, top: 0, right: page.width, bottom: page.height };
  const room = findGutters(page).find((one) => areSeparateTables(page, one));
  if (!room) return [whole];
  const middle = (room.left + room.right) >> 1;
  const { top, bottom } = room;
  return [
    { ...whole, bottom: top },
    { left: 0, top, right: middle, bottom },
    { left: middle, top, right: page.width, bottom },
    { ...whole, top: bottom },
  ].filter((part) => part.bottom > part.top);
}

/** Crops an image. */
export function cropImage(page: PageImage, { left, top, right, bottom }: PixelBox): PageImage {
  const [width, height] = [right - left, bottom - top];
  const pixels = new Uint8Array(width * height);
  for (let y = 0; y < height; y++) {
    const from = (top + y) * page.width + left;
    pixels.set(page.pixels.subarray(from, from + width), y * width);
  }
  return { width, height, pixels, dpi: page.dpi };
}

/** Vertical gutters without ink, the tallest first. */
function findGutters(page: PageImage): PixelBox[] {
  const wide = Math.round(MIN_GUTTER_INCHES * page.dpi);
  const rooms: PixelBox[] = [];
  for (
    let left = Math.round(page.width * GUTTER_FROM_SHARE);
    left + wide < page.width * GUTTER_TO_SHARE;
    left += wide >> 1
  ) {
    const room = tallestGapAt(page, left, left + wide);
    if (room.bottom - room.top > MIN_TABLE_HEIGHT_INCHES * page.dpi) rooms.push(room);
  }
  return rooms.toSorted((a, b) => b.bottom - b.top - a.bottom + a.top);
}

function tallestGapAt(page: PageImage, left: number, right: number): PixelBox {
  let best = { left, right, top: 0, bottom: 0 };
  let from = 0;
  for (let y = 0; y <= page.height; y++) {
    const isEnd = y === page.height || hasInk(page, y, left, right);
    if (!isEnd) continue;
    if (y - from > best.bottom - best.top) best = { left, right, top: from, bottom: y };
    from = y + 1;
  }
  return best;
}

function hasInk({ width, pixels }: PageImage, y: number, left: number, right: number): boolean {
  for (let at = y * width + left; at < y * width + right; at++) if (pixels[at]! < INK) return true;
  return false;
}

/** Reports whether both sides of a gutter have many lines that are not halves of the same lines. */
function areSeparateTables(page: PageImage, { left, right, top, bottom }: PixelBox): boolean {
  const one = findTextLines(page, 0, left, top, bottom);
  const other = findTextLines(page, right, page.width, top, bottom);
  if (Math.min(one.length, other.length) < MIN_LINES) return false;
  const level = (lines: readonly TextLine[], others: readonly TextLine[]) =>
    lines.filter((line) => others.some((next) => Math.abs(line.middle - next.middle) < LEVEL_TOLERANCE * line.height))
      .length / lines.length;
  return Math.max(level(one, other), level(other, one)) < MAX_LEVEL_SHARE;
}

interface TextLine {
  readonly middle: number;
  readonly height: number;
}

/** Finds text lines between two x positions by the horizontal projection of ink. */
function findTextLines(page: PageImage, left: number, right: number, top: number, bottom: number): TextLine[] {
  const lines: TextLine[] = [];
  let from: number | null = null;
  for (let y = top; y <= bottom; y++) {
    const isInk = y < bottom && hasInk(page, y, left, right);
    if (isInk) from ??= y;
    else if (from !== null) {
      if (y - from > LINE_INCHES * page.dpi) lines.push({ middle: (from + y) / 2, height: y - from });
      from = null;
    }
  }
  return lines;
}
