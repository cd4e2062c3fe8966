import { type Cell, characterWidth, type Line, rightOf, toCell } from "../page/page-lines.ts";
import { isSentence } from "../row/unread-texts.ts";

/** Minimum number of cells on other lines that start at the same x, and the tolerance of that alignment in points. */
const MIN_ALIGNED_LINES = 3;
const ALIGNMENT_TOLERANCE_PT = 1;
/** Minimum gap before an aligned start, in characters, at which a cell is split. */
const MIN_GAP_CHARACTERS = 0.8;
const MAX_CELL_WORDS = 5;

/** Splits cells at narrow gaps too, where cells of other lines start at the same x. */
export function splitAlignedCells(lines: readonly Line[]): Line[] {
  const counts = new Map<number, number>();
  const lefts = lines.flatMap(({ cells }) => cells.slice(1).map(({ left }) => Math.round(left)));
  for (const left of lefts) counts.set(left, (counts.get(left) ?? 0) + 1);
  const isColumn = (left: number) => countStartsAt(counts, left) >= MIN_ALIGNED_LINES;
  return lines.map((line) => ({ ...line, cells: line.cells.flatMap((cell) => splitCell(cell, isColumn)) }));
}

const countStartsAt = (counts: ReadonlyMap<number, number>, left: number): number => {
  const near = Math.round(left);
  return [near - ALIGNMENT_TOLERANCE_PT, near, near + ALIGNMENT_TOLERANCE_PT].reduce(
    (sum, place) => sum + (counts.get(place) ?? 0),
    0,
  );
};

function splitCell(cell: Cell, isColumn: (left: number) => boolean): Cell[] {
  const { words, text } = cell;
  if (words.length < 2 || words.length > MAX_CELL_WORDS || isSentence(text)) return [cell];
  const place = words.findIndex((word, index) => {
    const before = words[index - 1];
    return before && word.left - rightOf(before) > MIN_GAP_CHARACTERS * characterWidth(before) && isColumn(word.left);
  });
  return place < 0 ? [cell] : [toCell(words.slice(0, place)), toCell(words.slice(place))];
}
