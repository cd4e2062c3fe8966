import { isSentence } from "./left-over.ts";
import { isApart, type Line, middle, rightOf } from "./page-lines.ts";
import { flagMeaning } from "./read-flag.ts";
import { isRange } from "./read-range.ts";
import { isValue, readValue } from "./read-value.ts";
import { isLabelled } from "./report-labels.ts";
import type { ReportWord } from "./report-page.ts";
import { isUnit } from "./report-units.ts";
import type { Span } from "./title-words.ts";

export const FEWEST_ROWS = 3;

/** Maximum share of rows that may cross a gutter, and minimum share of rows with a gap there. */
const CROSSING = 0.06;
const APART = 0.6;

/** Minimum width of a gutter if no row has content on both sides, points. */
const ROOM = 6;

/** Alignment tolerance of left edges, points, and the minimum share of aligned rows. */
const EXACT = 1;
const NEARLY_ALL = 0.93;

/** Reports whether a line has a name and, in a separate cell, a value or a range. */
export function isRowLike({ cells, text }: Line): boolean {
  if (cells.length < 2 || (cells.length === 2 && isSentence(text)) || isLabelled(text)) return false;
  return (
    cells.some((cell) => /\p{L}{2}/u.test(cell.text)) &&
    cells.slice(1).some((cell) => isValue(cell.text) || isRange(cell.text))
  );
}

/** Joins tokens that form one range. */
export function glued(words: readonly ReportWord[]): ReportWord[] {
  const whole: ReportWord[] = [];
  for (const word of words) {
    const last = whole.at(-1);
    const isJoint =
      last && !isFar(last, word) && (OPEN.test(last.text) || (CLOSE.test(word.text) && /[\d)]$/.test(last.text)));
    if (isJoint)
      whole[whole.length - 1] = { ...last, text: `${last.text} ${word.text}`, width: rightOf(word) - last.left };
    else whole.push(word);
  }
  return whole;
}

const OPEN = /(?:^|\s)(?:[([<>≤≥=]+|<=|>=|or|\d\S* (?:-|–|—|to))$|\d[-–]$/i;
const CLOSE = /^(?:-|–|—|to|[)\]])$/i;

const isFar = (one: ReportWord, next: ReportWord) => next.left - rightOf(one) > 2.5 * one.height;

/** Detects columns by the vertical projection of the rows. Hardly any row crosses the gutter between two columns. */
export function columnsOf(rows: readonly (readonly ReportWord[])[]): Span[] {
  const words = rows.flat();
  const most = Math.floor(rows.length * CROSSING);
  const [from, to] = [
    Math.floor(Math.min(...words.map(({ left }) => left))),
    Math.ceil(Math.max(...words.map(rightOf))),
  ];
  const ink = new Uint16Array(to - from + 1);
  for (const word of words)
    for (let x = Math.floor(word.left); x < rightOf(word); x++) ink[x - from] = (ink[x - from] ?? 0) + 1;
  const spans: Span[] = [];
  for (let x = from; x <= to; x++) {
    const isInk = (ink[x - from] ?? 0) > most;
    const last = spans.at(-1);
    if (isInk && last && last.right >= x) spans[spans.length - 1] = { left: last.left, right: x + 1 };
    else if (isInk) spans.push({ left: x, right: x + 1 });
  }
  const columns: Span[] = [];
  for (const span of spans) {
    const last = columns.at(-1);
    if (last && !arePartedBy(last, span, rows)) columns[columns.length - 1] = { left: last.left, right: span.right };
    else columns.push(span);
  }
  return columns;
}

/** Reports whether rows have a cell gap, a tab stop or different content between two spans. */
function arePartedBy(one: Span, next: Span, rows: readonly (readonly ReportWord[])[]): boolean {
  const pairs = rows.flatMap((row) => {
    const place = row.findIndex((word) => center(word) > (one.right + next.left) / 2);
    const [before, behind] = [row[place - 1], row[place]];
    return before && behind && center(before) >= one.left && center(behind) <= next.right
      ? [[before, behind] as const]
      : [];
  });
  if (pairs.length === 0) return next.left - one.right > ROOM;
  if (pairs.filter(([before, behind]) => isApart(before, behind)).length >= pairs.length * APART) return true;
  if (isTabStop(pairs)) return true;
  const [before, behind] = [0, 1].map((side) => pairs.map((pair) => sortOf(pair[side as 0 | 1].text)));
  return pairs.length >= FEWEST_ROWS && usual(before ?? []) !== usual(behind ?? []);
}

/** Reports whether the texts of the second span start at one x whatever the length of the texts before them. */
function isTabStop(pairs: readonly (readonly [ReportWord, ReportWord])[]): boolean {
  const lefts = pairs.map(([, { left }]) => left);
  const widths = new Set(pairs.map(([before]) => Math.round(rightOf(before))));
  const usual = middle(lefts);
  const isExact = lefts.filter((left) => Math.abs(left - usual) < EXACT).length > lefts.length * NEARLY_ALL;
  return pairs.length > FEWEST_ROWS && isExact && widths.size >= FEWEST_ROWS;
}

const center = (word: ReportWord) => word.left + word.width / 2;

function usual(sorts: readonly string[]): string {
  const counts = Map.groupBy(sorts, (sort) => sort);
  return [...counts].toSorted((a, b) => b[1].length - a[1].length)[0]?.[0] ?? "";
}

function sortOf(text: string): string {
  if (isUnit(text)) return "unit";
  if (flagMeaning(text)) return "flag";
  if (isRange(text) && !/^[<>]/.test(text)) return "range";
  const kind = readValue(text)?.kind;
  return kind && kind !== "words" ? "number" : "word";
}
