import { LineBuilder } from "./line-builder.ts";
import { LineIndex } from "./line-index.ts";
import type { ReportWord } from "./report-page.ts";

/** Minimum share of the lower height that a word must overlap vertically with its line. */
const MIN_VERTICAL_OVERLAP = 0.5;

/**
 * Groups words into text lines in linear time. A word is compared only with lines at its height, and there only with
 * the nearest words.
 * @param usual the median height of the words.
 */
export function groupIntoLines(words: readonly ReportWord[], usual: number): (readonly ReportWord[])[] {
  // Words of the usual height establish the lines; other words join them.
  const isUsual = ({ height }: ReportWord) => height > usual * 0.6 && height < usual * 1.6;
  const fromLeft = words.toSorted((a, b) => a.left - b.left);
  const lines: LineBuilder[] = [];
  const places = new LineIndex(usual);
  for (const word of [...fromLeft.filter(isUsual), ...fromLeft.filter((word) => !isUsual(word))]) {
    const line = bestLineFor(places.linesNear(word), word) ?? new LineBuilder(lines.length);
    if (line.words.length === 0) lines.push(line);
    line.add(word);
    places.add(line, word);
  }
  return lines.map((line) => line.words);
}

/** The line that a word overlaps most, the first of equals; undefined if it overlaps none. */
function bestLineFor(lines: Iterable<LineBuilder>, word: ReportWord): LineBuilder | undefined {
  let best: LineBuilder | undefined;
  let most = MIN_VERTICAL_OVERLAP;
  for (const line of lines) {
    const overlap = line.overlapWith(word);
    const isBetter = best === undefined ? overlap >= most : overlap > most || (overlap === most && line.at < best.at);
    if (isBetter) [best, most] = [line, overlap];
  }
  return best;
}
