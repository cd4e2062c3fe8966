import { type Cell, type Line, linesOf, middle } from "./page-lines.ts";
import { flagMeaning } from "./read-flag.ts";
import type { ReportWord } from "./report-page.ts";

/** How exactly names of a card begin below one another, and how far apart cards begin at least; points. */
const EXACT = 3;
const CARD = 90;
const FEWEST_NAMES = 2;
/** The least width of the room between cards, points. */
const ROOM = 6;
/** From how many pitches of lines on a gap parts rows of cards, and up to how many a line is still of the cards. */
const BAND_GAP = 1.55;
const FAR = 3;

/**
 * The parts of a page on which tests stand side by side without headings over them, in the order in which they are read: each
 * card of a row of cards, then those of the next row. Known names that begin at two places tell them, and the room between.
 * @returns null where there are none.
 */
export function cardsIn(lines: readonly Line[], isKnown: (name: string) => boolean): Line[][] | null {
  const found = gutterIn(lines, isKnown);
  if (!found) return null;
  const { gutter, first, last } = found;
  const pitch = middle(
    lines.slice(first, last + 1).map((line, place) => line.top - (lines[first + place - 1]?.top ?? 0)),
  );
  const [from, to] = [-1, 1].map((step) => end(lines, step < 0 ? first : last, step, gutter, pitch));
  const bands = bandsOf(lines.slice(from, (to ?? last) + 1), pitch);
  const cards = bands.flatMap((band) => {
    const words = band.flatMap((line) => line.words);
    const right = linesOf(words.filter(({ left }) => left >= gutter));
    return [linesOf(words.filter(({ left }) => left < gutter)), ...(cardsIn(right, isKnown) ?? [right])];
  });
  return [lines.slice(0, from), ...cards, lines.slice((to ?? last) + 1)].filter(({ length }) => length > 0);
}

interface Start {
  readonly left: number;
  readonly line: number;
}

interface Gutter {
  readonly gutter: number;
  readonly first: number;
  readonly last: number;
}

function gutterIn(lines: readonly Line[], isKnown: (name: string) => boolean): Gutter | null {
  const starts = lines.flatMap((line, place) => startsIn(line, isKnown).map((left) => ({ left, line: place })));
  const leftmost = clusters(starts)[0];
  if (!leftmost) return null;
  const second = clusters(starts.filter(({ left }) => left > leftmost + CARD))[0];
  if (second === undefined) return null;
  const own = starts.filter(({ left }) => Math.abs(left - second) < EXACT).map(({ line }) => line);
  const [first = 0, last = 0] = [Math.min(...own), Math.max(...own)];
  const gutter = roomBefore(
    lines.slice(first, last + 1).flatMap(({ words }) => words),
    second,
  );
  return gutter === null || gutter < leftmost + CARD / 2 ? null : { gutter, first, last };
}

/** Where cells begin that are names of tests, marks before them left out; something stands behind each. */
function startsIn({ cells }: Line, isKnown: (name: string) => boolean): number[] {
  return cells.flatMap(({ words }, place) => {
    const names = words[0] && words.length > 1 && flagMeaning(words[0].text) ? words.slice(1) : words;
    const text = names.map((word) => word.text).join(" ");
    const isName = /\p{L}{2}/u.test(text) && isKnown(text) && cells[place + 1] !== undefined;
    return isName && names[0] ? [names[0].left] : [];
  });
}

/** Where several names begin, from left to right. */
function clusters(starts: readonly Start[]): number[] {
  const counted = starts.map(({ left }) => ({
    left,
    count: starts.filter((other) => Math.abs(other.left - left) < EXACT).length,
  }));
  return counted
    .filter(({ count }) => count >= FEWEST_NAMES)
    .map(({ left }) => left)
    .toSorted((a, b) => a - b);
}

/** The middle of the room before a place that no word reaches into; marks and titles may begin a little before it. */
function roomBefore(words: readonly ReportWord[], place: number): number | null {
  let edge = place - EXACT;
  for (;;) {
    const before = words.filter(({ left }) => left < edge);
    const reach = Math.max(...before.map(({ left, width }) => left + width));
    const isRoom = edge - reach >= ROOM && !isMarks(before, reach);
    if (before.length === 0 || isRoom) return before.length === 0 ? null : (edge + reach) / 2;
    const others = before.filter(({ left, width }) => left + width > Math.min(edge, reach - EXACT * 4));
    const next = Math.min(...others.map(({ left }) => left));
    if (next < place - TITLE || (reach <= edge && !isMarks(before, reach))) return null;
    edge = next;
  }
}
/** How far before its names a card may begin, points. */
const TITLE = 25;

/** Whether what reaches furthest are flags only. */
function isMarks(words: readonly ReportWord[], reach: number): boolean {
  const last = words.filter(({ left, width }) => left + width > reach - EXACT * 4);
  return last.every(({ text }) => flagMeaning(text) !== undefined && text.length <= 2);
}

/** How far lines go on that nothing crosses the gutter on. */
function end(lines: readonly Line[], start: number, step: number, gutter: number, pitch: number): number {
  let at = start;
  for (;;) {
    const [line, next] = [lines[at], lines[at + step]];
    if (!line || !next || Math.abs(next.top - line.top) > FAR * pitch || next.cells.some(crosses(gutter))) return at;
    at += step;
  }
}

const crosses = (gutter: number) => (cell: Cell) => cell.left < gutter && cell.right > gutter;

/** Lines parted where nothing stands between rows of cards. */
function bandsOf(lines: readonly Line[], pitch: number): Line[][] {
  const bands: Line[][] = [];
  for (const [place, line] of lines.entries()) {
    const before = lines[place - 1];
    if (!before || line.top - before.top > BAND_GAP * pitch) bands.push([line]);
    else bands.at(-1)?.push(line);
  }
  return bands;
}
