import { hasCellGap, type Line, rightOf, textOf } from "../page/page-lines.ts";
import type { ReportWord } from "../page/report-page.ts";

/** Horizontal extent of a column. */
export interface ColumnSpan {
  readonly left: number;
  readonly right: number;
}

/** Costs of splitting words that stand together, and of joining words across a cell gap; points. */
const SPLIT_COST = 1.5;
const JOIN_COST = 25;
/** Cost of a column without a heading. */
const UNTITLED_COST = 2;

/** Assigns the words of a header row to the columns below at the least total distance. */
export function assignHeaderWords({ words }: Line, columns: readonly ColumnSpan[]): string[] {
  const count = words.length;
  let costs = [0, ...words.map(() => Number.POSITIVE_INFINITY)];
  const from: number[][] = [];
  for (const column of columns) {
    const best = costs.map((cost, end) => {
      let [least, start] = [cost + UNTITLED_COST, end];
      for (let begin = 0; begin < end; begin++) {
        const own = (costs[begin] ?? 0) + costOf(words, begin, end, column);
        if (own < least) [least, start] = [own, begin];
      }
      return { least, start };
    });
    costs = best.map(({ least }) => least);
    from.push(best.map(({ start }) => start));
  }
  const texts: string[] = [];
  let end = count;
  for (let place = columns.length - 1; place >= 0; place--) {
    const begin = from[place]?.[end] ?? end;
    texts.unshift(textOf(words.slice(begin, end)));
    end = begin;
  }
  return texts;
}

function costOf(words: readonly ReportWord[], begin: number, end: number, { left, right }: ColumnSpan): number {
  const own = words.slice(begin, end);
  const [first, last] = [own[0], own.at(-1)];
  if (!first || !last) return 0;
  const [from, to] = [first.left, rightOf(last)];
  const away = Math.min(Math.abs(from - left), Math.abs(to - right), Math.abs(from + to - left - right) / 2);
  const before = words[begin - 1];
  const isParted = before !== undefined && !hasCellGap(before, first);
  const joined = own.filter((word, place) => place > 0 && hasCellGap(own[place - 1] ?? word, word)).length;
  return away + (isParted ? SPLIT_COST : 0) + joined * JOIN_COST;
}
