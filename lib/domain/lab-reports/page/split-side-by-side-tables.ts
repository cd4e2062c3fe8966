import { flagMeaning } from "../row/read-flag.ts";
import { type Cell, type Line, median, toLines } from "./page-lines.ts";
import type { ReportWord } from "./report-page.ts";

/** Tolerance of the left alignment of names, and the minimum distance between the starts of two tables; points. */
const ALIGNMENT_TOLERANCE_PT = 3;
const MIN_TABLE_WIDTH_PT = 90;
const MIN_NAMES_PER_TABLE = 2;
/** Minimum width of the gutter between tables, points. */
const MIN_GUTTER_PT = 6;
/** Line gap, in line pitches, that separates bands of tables, and the maximum gap of lines within a region. */
const BAND_GAP_PITCHES = 1.55;
const MAX_GAP_PITCHES = 3;

/**
 * Splits lines into tables that stand side by side without header rows, in reading order: the tables of one band from
 * left to right, then the next band. Known names that start at two positions and the gutter between them identify the
 * tables.
 * @returns null if no gutter is found.
 */
export function splitSideBySideTables(lines: readonly Line[], isKnown: (name: string) => boolean): Line[][] | null {
  const found = findGutter(lines, isKnown);
  if (!found) return null;
  const { gutter, first, last } = found;
  const pitch = median(
    lines.slice(first, last + 1).map((line, place) => line.top - (lines[first + place - 1]?.top ?? 0)),
  );
  const [from, to] = [-1, 1].map((step) => endOfRegion(lines, step < 0 ? first : last, step, gutter, pitch));
  const bands = splitBands(lines.slice(from, (to ?? last) + 1), pitch);
  const cards = bands.flatMap((band) => {
    const words = band.flatMap((line) => line.words);
    const right = toLines(words.filter(({ left }) => left >= gutter));
    return [toLines(words.filter(({ left }) => left < gutter)), ...(splitSideBySideTables(right, isKnown) ?? [right])];
  });
  return [lines.slice(0, from), ...cards, lines.slice((to ?? last) + 1)].filter(({ length }) => length > 0);
}

interface NameStart {
  readonly left: number;
  readonly line: number;
}

interface Gutter {
  readonly gutter: number;
  readonly first: number;
  readonly last: number;
}

function findGutter(lines: readonly Line[], isKnown: (name: string) => boolean): Gutter | null {
  const starts = lines.flatMap((line, place) => nameStarts(line, isKnown).map((left) => ({ left, line: place })));
  const leftmost = clusterStarts(starts)[0];
  if (!leftmost) return null;
  const second = clusterStarts(starts.filter(({ left }) => left > leftmost + MIN_TABLE_WIDTH_PT))[0];
  if (second === undefined) return null;
  const own = starts.filter(({ left }) => Math.abs(left - second) < ALIGNMENT_TOLERANCE_PT).map(({ line }) => line);
  const [first = 0, last = 0] = [Math.min(...own), Math.max(...own)];
  const gutter = gutterBefore(
    lines.slice(first, last + 1).flatMap(({ words }) => words),
    second,
  );
  return gutter === null || gutter < leftmost + MIN_TABLE_WIDTH_PT / 2 ? null : { gutter, first, last };
}

/** Left edges of cells that are test names followed by another cell. Flags before a name are skipped. */
function nameStarts({ cells }: Line, isKnown: (name: string) => boolean): number[] {
  return cells.flatMap(({ words }, place) => {
    const names = words[0] && words.length > 1 && flagMeaning(words[0].text) ? words.slice(1) : words;
    const text = names.map((word) => word.text).join(" ");
    const isName = /\p{L}{2}/u.test(text) && isKnown(text) && cells[place + 1] !== undefined;
    return isName && names[0] ? [names[0].left] : [];
  });
}

/** Left edges at which several names start, from left to right. */
function clusterStarts(starts: readonly NameStart[]): number[] {
  const counted = starts.map(({ left }) => ({
    left,
    count: starts.filter((other) => Math.abs(other.left - left) < ALIGNMENT_TOLERANCE_PT).length,
  }));
  return counted
    .filter(({ count }) => count >= MIN_NAMES_PER_TABLE)
    .map(({ left }) => left)
    .toSorted((a, b) => a - b);
}

/** The middle of the gutter before an x position. Flags and titles may start a little before that position. */
function gutterBefore(words: readonly ReportWord[], place: number): number | null {
  let edge = place - ALIGNMENT_TOLERANCE_PT;
  for (;;) {
    const before = words.filter(({ left }) => left < edge);
    const reach = Math.max(...before.map(({ left, width }) => left + width));
    const isRoom = edge - reach >= MIN_GUTTER_PT && !areFlags(before, reach);
    if (before.length === 0 || isRoom) return before.length === 0 ? null : (edge + reach) / 2;
    const others = before.filter(
      ({ left, width }) => left + width > Math.min(edge, reach - ALIGNMENT_TOLERANCE_PT * 4),
    );
    const next = Math.min(...others.map(({ left }) => left));
    if (next < place - MAX_TITLE_INDENT_PT || (reach <= edge && !areFlags(before, reach))) return null;
    edge = next;
  }
}
/** Maximum distance between the left edge of a table and that of its names, points. */
const MAX_TITLE_INDENT_PT = 25;

/** Reports whether the rightmost words are all flags. */
function areFlags(words: readonly ReportWord[], reach: number): boolean {
  const last = words.filter(({ left, width }) => left + width > reach - ALIGNMENT_TOLERANCE_PT * 4);
  return last.every(({ text }) => flagMeaning(text) !== undefined && text.length <= 2);
}

/** The last line in one direction before a cell crosses the gutter or a gap ends the region. */
function endOfRegion(lines: readonly Line[], start: number, step: number, gutter: number, pitch: number): number {
  let at = start;
  for (;;) {
    const [line, next] = [lines[at], lines[at + step]];
    if (
      !line ||
      !next ||
      Math.abs(next.top - line.top) > MAX_GAP_PITCHES * pitch ||
      next.cells.some(crossesGutter(gutter))
    )
      return at;
    at += step;
  }
}

const crossesGutter = (gutter: number) => (cell: Cell) => cell.left < gutter && cell.right > gutter;

/** Splits lines into bands at large vertical gaps. */
function splitBands(lines: readonly Line[], pitch: number): Line[][] {
  const bands: Line[][] = [];
  for (const [place, line] of lines.entries()) {
    const before = lines[place - 1];
    if (!before || line.top - before.top > BAND_GAP_PITCHES * pitch) bands.push([line]);
    else bands.at(-1)?.push(line);
  }
  return bands;
}
