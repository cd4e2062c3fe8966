import { type ConnectedComponent, findConnectedComponents } from "./connected-components.ts";
import type { GreyImage } from "./grey-image.ts";

/** Lightest shade of ink on evenly lit paper. */
const INK = 170;
/** Lightest shade of faint hairlines. */
const FAINT_INK = 235;
/** Minimum length and maximum thickness of rulings, in inches. */
const RULING_INCHES = 0.5;
const MAX_RULING_THICKNESS_INCHES = 0.03;
/** Maximum gap in a ruling, in pixels, and its minimum share of ink. A line of print has less. */
const MAX_MISSING_PIXELS = 4;
const MIN_INK_SHARE = 0.8;
/** Maximum thickness of a broken ruling, in inches, and its minimum number of pieces. */
const HAIRLINE_INCHES = 0.014;
const MIN_PIECES = 4;
const MAX_DASH_INCHES = 0.1;
const MAX_LETTER_HEIGHT_INCHES = 0.2;
/** Maximum area of a speck, in square inches: a third of the smallest decimal point (7 point print). */
const SPECK_AREA = 3 / (300 * 300);
/** Dotted leaders: minimum number of dots, maximum height, and maximum even step. */
const MIN_LEADER_DOTS = 6;
const DOT_INCHES = 0.03;
const LEADER_STEP_INCHES = 0.12;
/** Half the height of a digit above the baseline. */
const FIGURE_MIDDLE_INCHES = 0.05;

/** Removes everything but text from an image, in place: rulings and boxes, dotted leaders, specks. */
export function removeNonText(image: GreyImage, dpi: number): void {
  removeRulings(image, dpi);
  for (const piece of findBrokenRulings(findConnectedComponents(image, FAINT_INK), dpi)) erase(image, piece);
  const dots = findConnectedComponents(image, INK).filter(({ bottom, top }) => bottom - top <= DOT_INCHES * dpi);
  for (const dot of dots) if (dot.area <= SPECK_AREA * dpi * dpi) erase(image, dot);
  for (const dot of findLeaderDots(image, dots, dpi)) erase(image, dot);
}

/** Removes long horizontal and vertical runs of ink. Print that crosses a ruling stays. */
function removeRulings(image: GreyImage, dpi: number): void {
  const { width, height } = image;
  for (const [lines, length, alongStep, acrossStep] of [
    [height, width, 1, width],
    [width, height, width, 1],
  ] as const) {
    const rule = {
      alongStep,
      acrossStep,
      shortest: RULING_INCHES * dpi,
      thickest: Math.ceil(MAX_RULING_THICKNESS_INCHES * dpi),
    };
    for (let line = 0; line < lines; line++)
      for (const [start, end] of findLongRuns(image.pixels, line * acrossStep, length, rule))
        for (let at = start; at < end; at++) eraseRulingPixel(image.pixels, line, lines, at, rule);
  }
}

interface RulingLimits {
  readonly alongStep: number;
  readonly acrossStep: number;
  readonly shortest: number;
  readonly thickest: number;
}

/** Finds long and full runs of faint ink along a line of pixels, with small gaps. */
function* findLongRuns(
  pixels: Uint8Array,
  first: number,
  length: number,
  rule: RulingLimits,
): Generator<[number, number]> {
  let start = -1;
  let last = -1;
  let inked = 0;
  for (let at = 0; at <= length; at++) {
    if (at < length && pixels[first + at * rule.alongStep]! <= FAINT_INK) {
      if (start < 0) [start, inked] = [at, 0];
      last = at;
      inked++;
    } else if (start >= 0 && (at - last > MAX_MISSING_PIXELS || at === length)) {
      const run = last - start;
      if (run >= rule.shortest && inked >= run * MIN_INK_SHARE) yield [start, last + 1];
      start = -1;
    }
  }
}

/** Whitens one position of a ruling and the shade of its edges, unless ink extends beyond the maximum thickness. */
function eraseRulingPixel(pixels: Uint8Array, line: number, lines: number, at: number, rule: RulingLimits): void {
  const place = (across: number) => across * rule.acrossStep + at * rule.alongStep;
  let from = line;
  let to = line;
  while (from > 0 && pixels[place(from - 1)]! <= FAINT_INK && line - from <= rule.thickest) from--;
  while (to < lines - 1 && pixels[place(to + 1)]! <= FAINT_INK && to - line <= rule.thickest) to++;
  if (to - from + 1 > rule.thickest) return;
  for (let across = Math.max(from - 1, 0); across <= Math.min(to + 1, lines - 1); across++) pixels[place(across)] = 255;
}

/** Finds remnants of faint rulings: thin pieces longer than strokes of letters, and many flat pieces in a row. */
function findBrokenRulings(patches: readonly ConnectedComponent[], dpi: number): ConnectedComponent[] {
  const thickest = HAIRLINE_INCHES * dpi;
  const isLong = ({ left, top, right, bottom }: ConnectedComponent) =>
    (bottom - top <= thickest && right - left >= MAX_DASH_INCHES * dpi) ||
    (right - left <= thickest && bottom - top >= MAX_LETTER_HEIGHT_INCHES * dpi);
  const flat = patches.filter(
    ({ left, top, right, bottom }) => bottom - top <= thickest && right - left >= 2 * (bottom - top),
  );
  const rows = Map.groupBy(flat, ({ top, bottom }) => Math.round((top + bottom) / 2 / thickest));
  const isRuling = (row: readonly ConnectedComponent[]) =>
    row.length >= MIN_PIECES && row.reduce((sum, { left, right }) => sum + right - left, 0) >= RULING_INCHES * dpi;
  return [...patches.filter(isLong), ...[...rows.values()].filter(isRuling).flat()];
}

/**
 * Finds dots in a row at even steps with nothing between them. A decimal point after a leader is followed by a digit.
 */
function findLeaderDots(image: GreyImage, dots: readonly ConnectedComponent[], dpi: number): ConnectedComponent[] {
  const small = dots.filter(({ left, right }) => right - left <= DOT_INCHES * dpi);
  const rows = Map.groupBy(small, ({ bottom }) => Math.round(bottom / (0.02 * dpi)));
  return [...rows.values()].flatMap((row) =>
    groupLeaders(
      row.toSorted((a, b) => a.left - b.left),
      (before, dot) => dot.left - before.left <= LEADER_STEP_INCHES * dpi && isClear(image, before, dot, dpi),
    ),
  );
}

function groupLeaders(
  row: readonly ConnectedComponent[],
  isNext: (before: ConnectedComponent, dot: ConnectedComponent) => boolean,
): ConnectedComponent[] {
  const leaders: ConnectedComponent[][] = [];
  for (const [at, dot] of row.entries()) {
    const [last, before] = [row[at - 1], row[at - 2]];
    const leader = leaders.at(-1);
    const step = last && leader && leader.length > 1 && before ? last.left - before.left : undefined;
    const isEven = !last || step === undefined || Math.abs(dot.left - last.left - step) <= Math.max(2, step / 4);
    if (leader && last && isEven && isNext(last, dot)) leader.push(dot);
    else leaders.push([dot]);
  }
  return leaders.filter((leader) => leader.length >= MIN_LEADER_DOTS).flat();
}

/** Reports whether the area between two dots has no ink, from the baseline to the middle of a digit. */
function isClear(
  { width, pixels }: GreyImage,
  before: ConnectedComponent,
  dot: ConnectedComponent,
  dpi: number,
): boolean {
  for (let y = Math.max(0, dot.bottom - Math.round(FIGURE_MIDDLE_INCHES * dpi)); y < dot.bottom; y++)
    for (let x = before.right; x < dot.left; x++) if (pixels[y * width + x]! <= INK) return false;
  return true;
}

/** Whitens a component and the half shades around it. */
function erase({ width, height, pixels }: GreyImage, { left, top, right, bottom }: ConnectedComponent): void {
  for (let y = Math.max(top - 1, 0); y < Math.min(bottom + 1, height); y++)
    pixels.fill(255, y * width + Math.max(left - 1, 0), y * width + Math.min(right + 1, width));
}
