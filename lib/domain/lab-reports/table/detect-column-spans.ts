import { startsWithHeaderLabel } from "../page/header-labels.ts";
import { hasCellGap, type Line, median, rightOf } from "../page/page-lines.ts";
import type { ReportWord } from "../page/report-page.ts";
import { flagMeaning } from "../row/read-flag.ts";
import { isRange } from "../row/read-range.ts";
import { isValue, readValue } from "../row/read-value.ts";
import { isUnit } from "../row/report-units.ts";
import { isSentence } from "../row/unread-texts.ts";
import type { ColumnSpan } from "./assign-header-words.ts";

export const MIN_TABLE_ROWS = 3;

/** Maximum share of rows that may cross a gutter, and minimum share of rows with a gap there. */
const MAX_CROSSING_SHARE = 0.06;
const MIN_GAP_SHARE = 0.6;

/** Minimum width of a gutter if no row has content on both sides, points. */
const MIN_GUTTER_PT = 6;

/** Alignment tolerance of left edges, points, and the minimum share of aligned rows. */
const ALIGNMENT_TOLERANCE_PT = 1;
const MIN_ALIGNED_SHARE = 0.93;

/** Reports whether a line has a name and, in a separate cell, a value or a range. */
export function mayBeTableRow({ cells, text }: Line): boolean {
  if (cells.length < 2 || (cells.length === 2 && isSentence(text)) || startsWithHeaderLabel(text)) return false;
  return (
    cells.some((cell) => /\p{L}{2}/u.test(cell.text)) &&
    cells.slice(1).some((cell) => isValue(cell.text) || isRange(cell.text))
  );
}

/** Joins tokens that form one range. */
export function joinRangeTokens(words: readonly ReportWord[]): ReportWord[] {
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
export function detectColumnSpans(rows: readonly (readonly ReportWord[])[]): ColumnSpan[] {
  const words = rows.flat();
  const most = Math.floor(rows.length * MAX_CROSSING_SHARE);
  const [from, to] = [
    Math.floor(Math.min(...words.map(({ left }) => left))),
    Math.ceil(Math.max(...words.map(rightOf))),
  ];
  const ink = new Uint16Array(to - from + 1);
  for (const word of words)
    for (let x = Math.floor(word.left); x < rightOf(word); x++) ink[x - from] = (ink[x - from] ?? 0) + 1;
  const spans: ColumnSpan[] = [];
  for (let x = from; x <= to; x++) {
    const isInk = (ink[x - from] ?? 0) > most;
    const last = spans.at(-1);
    if (isInk && last && last.right >= x) spans[spans.length - 1] = { left: last.left, right: x + 1 };
    else if (isInk) spans.push({ left: x, right: x + 1 });
  }
  const columns: ColumnSpan[] = [];
  for (const span of spans) {
    const last = columns.at(-1);
    if (last && !areSeparateColumns(last, span, rows))
      columns[columns.length - 1] = { left: last.left, right: span.right };
    else columns.push(span);
  }
  return columns;
}

/** Reports whether rows have a cell gap, a tab stop or different content between two spans. */
function areSeparateColumns(one: ColumnSpan, next: ColumnSpan, rows: readonly (readonly ReportWord[])[]): boolean {
  const pairs = rows.flatMap((row) => {
    const place = row.findIndex((word) => center(word) > (one.right + next.left) / 2);
    const [before, behind] = [row[place - 1], row[place]];
    return before && behind && center(before) >= one.left && center(behind) <= next.right
      ? [[before, behind] as const]
      : [];
  });
  if (pairs.length === 0) return next.left - one.right > MIN_GUTTER_PT;
  if (pairs.filter(([before, behind]) => hasCellGap(before, behind)).length >= pairs.length * MIN_GAP_SHARE)
    return true;
  if (isTabStop(pairs)) return true;
  const [before, behind] = [0, 1].map((side) => pairs.map((pair) => contentClassOf(pair[side as 0 | 1].text)));
  return pairs.length >= MIN_TABLE_ROWS && mostFrequent(before ?? []) !== mostFrequent(behind ?? []);
}

/** Reports whether the texts of the second span start at one x whatever the length of the texts before them. */
function isTabStop(pairs: readonly (readonly [ReportWord, ReportWord])[]): boolean {
  const lefts = pairs.map(([, { left }]) => left);
  const widths = new Set(pairs.map(([before]) => Math.round(rightOf(before))));
  const usual = median(lefts);
  const isExact =
    lefts.filter((left) => Math.abs(left - usual) < ALIGNMENT_TOLERANCE_PT).length > lefts.length * MIN_ALIGNED_SHARE;
  return pairs.length > MIN_TABLE_ROWS && isExact && widths.size >= MIN_TABLE_ROWS;
}

const center = (word: ReportWord) => word.left + word.width / 2;

function mostFrequent(sorts: readonly string[]): string {
  const counts = Map.groupBy(sorts, (sort) => sort);
  return [...counts].toSorted((a, b) => b[1].length - a[1].length)[0]?.[0] ?? "";
}

function contentClassOf(text: string): string {
  if (isUnit(text)) return "unit";
  if (flagMeaning(text)) return "flag";
  if (isRange(text) && !/^[<>]/.test(text)) return "range";
  const kind = readValue(text)?.kind;
  return kind && kind !== "words" ? "number" : "word";
}
