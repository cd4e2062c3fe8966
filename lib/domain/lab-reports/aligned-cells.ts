import { isSentence } from "./left-over.ts";
import { type Cell, characterWidth, type Line, rightOf, toCell } from "./page-lines.ts";

/** Minimum number of cells on other lines that start at the same x, and the tolerance of that alignment in points. */
const FEWEST = 3;
const EXACT = 1;
/** Minimum gap before an aligned start, in characters, at which a cell is split. */
const LEAST_GAP = 0.8;
const LONGEST_CELL = 5;

/** Splits cells at narrow gaps too, where cells of other lines start at the same x. */
export function withAlignedCells(lines: readonly Line[]): Line[] {
  const counts = new Map<number, number>();
  const lefts = lines.flatMap(({ cells }) => cells.slice(1).map(({ left }) => Math.round(left)));
  for (const left of lefts) counts.set(left, (counts.get(left) ?? 0) + 1);
  const isColumn = (left: number) => count(counts, left) >= FEWEST;
  return lines.map((line) => ({ ...line, cells: line.cells.flatMap((cell) => parted(cell, isColumn)) }));
}

const count = (counts: ReadonlyMap<number, number>, left: number): number => {
  const near = Math.round(left);
  return [near - EXACT, near, near + EXACT].reduce((sum, place) => sum + (counts.get(place) ?? 0), 0);
};

function parted(cell: Cell, isColumn: (left: number) => boolean): Cell[] {
  const { words, text } = cell;
  if (words.length < 2 || words.length > LONGEST_CELL || isSentence(text)) return [cell];
  const place = words.findIndex((word, index) => {
    const before = words[index - 1];
    return before && word.left - rightOf(before) > LEAST_GAP * characterWidth(before) && isColumn(word.left);
  });
  return place < 0 ? [cell] : [toCell(words.slice(0, place)), toCell(words.slice(place))];
}
