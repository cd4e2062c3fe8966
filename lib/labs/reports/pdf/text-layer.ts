import type { ReportWord } from "../../../domain/lab-reports/page/report-page.ts";
import { composeMatrices, type Matrix, toMatrix } from "./matrix.ts";

/** A text item of the PDF parser. `transform` holds the start of the baseline, the direction and the size. */
export interface TextItem {
  readonly str: string;
  readonly transform: ArrayLike<number>;
  /** Width along the text line. */
  readonly width: number;
}

/** The upright text of a page. */
export interface TextLayer {
  readonly width: number;
  readonly height: number;
  readonly words: ReportWord[];
}

/** Height of capital letters and digits, as a share of the font size. */
const CAPITAL_HEIGHT = 0.72;
/** Relative character widths of sans-serif fonts; other characters are as wide as a digit. */
const narrow = new Map([..."il.,:;'|!jIft()[]/ "].map((character) => [character, 0.5]));
const wide = new Map([..."mwMWCDGHNOQRU%@&"].map((character) => [character, 1.4]));

/** A word in its text line: direction in quarter turns, start of the baseline, and size. */
interface PlacedWord {
  readonly text: string;
  readonly quarter: number;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly size: number;
}

/**
 * The words of a page's text layer with bounding boxes. The direction of most characters counts as upright, so a page
 * with vertical text is rotated; other text is dropped.
 * @param view from text space to page space, points from the top left corner.
 */
export function buildTextLayer(pieces: readonly TextItem[], view: Matrix, width: number, height: number): TextLayer {
  const placed = pieces.flatMap((piece) => wordsOf(piece, view));
  const counts = [0, 1, 2, 3].map((quarter) => countCharacters(placed.filter((word) => word.quarter === quarter)));
  const quarter = counts.indexOf(Math.max(...counts));
  const words = placed.filter((word) => word.quarter === quarter).map((word) => boxOf(word, width, height));
  return quarter % 2 === 0 ? { width, height, words } : { width: height, height: width, words };
}

const countCharacters = (words: readonly PlacedWord[]) => words.reduce((sum, { text }) => sum + text.length, 0);

/** Splits a text item into words, positioned by the relative widths of the characters before them. */
function wordsOf({ str, transform, width }: TextItem, view: Matrix): PlacedWord[] {
  const own = toMatrix(transform);
  if (!own || str.trim() === "") return [];
  const [a, b, c, d, x, y] = composeMatrices(view, own);
  const length = Math.hypot(a, b) || 1;
  const quarter = (Math.round(Math.atan2(b, a) / (Math.PI / 2)) + 4) % 4;
  const scale = Math.hypot(view[0], view[1]);
  const size = Math.hypot(c, d);
  const weightOf = isFixedWidth(str, width, size / scale) ? ({ length }: string) => length : proportionalWeight;
  const whole = weightOf(str) || 1;
  let [end, weight] = [0, 0];
  return [...str.matchAll(/\S+/g)].map(({ 0: text, index }) => {
    weight += weightOf(str.slice(end, index));
    end = index;
    const before = (weight / whole) * width * scale;
    const place = { x: x + (a / length) * before, y: y + (b / length) * before };
    return { text, quarter, ...place, width: (weightOf(text) / whole) * width * scale, size };
  });
}

/** Character width of fixed-width fonts, as a share of the font size. */
const FIXED_WIDTH = 0.6;
const MIN_FIXED_WIDTH_CHARACTERS = 12;

/** Reports whether the width of a text is that of a fixed-width font. */
const isFixedWidth = ({ length }: string, width: number, size: number) =>
  length >= MIN_FIXED_WIDTH_CHARACTERS && Math.abs(width / (length * size) - FIXED_WIDTH) < 0.004;

function proportionalWeight(text: string): number {
  let sum = 0;
  for (const character of text) sum += narrow.get(character) ?? wide.get(character) ?? 1;
  return sum;
}

/** The bounding box of a word on the page once the word is upright. */
function boxOf({ text, quarter, x, y, width, size }: PlacedWord, pageWidth: number, pageHeight: number): ReportWord {
  const [left, baseline] = (
    [
      [x, y],
      [y, pageWidth - x],
      [pageWidth - x, pageHeight - y],
      [pageHeight - y, x],
    ] as const
  )[quarter] ?? [x, y];
  const height = size * CAPITAL_HEIGHT;
  return { text, left, top: baseline - height, width, height, confidence: 100 };
}
