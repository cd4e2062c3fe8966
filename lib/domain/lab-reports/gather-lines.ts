import { LinePlaces } from "./line-places.ts";
import { OpenLine } from "./open-line.ts";
import type { ReportWord } from "./report-page.ts";

/** Minimum share of the lower height that a word must overlap vertically with its line. */
const BESIDE = 0.5;

/**
 * Groups words into text lines in linear time. A word is compared only with lines at its height, and there only with
 * the nearest words.
 * @param usual the median height of the words.
 */
export function gatherLines(words: readonly ReportWord[], usual: number): (readonly ReportWord[])[] {
  // Words of the usual height establish the lines; other words join them.
  const isUsual = ({ height }: ReportWord) => height > usual * 0.6 && height < usual * 1.6;
  const fromLeft = words.toSorted((a, b) => a.left - b.left);
  const lines: OpenLine[] = [];
  const places = new LinePlaces(usual);
  for (const word of [...fromLeft.filter(isUsual), ...fromLeft.filter((word) => !isUsual(word))]) {
    const line = bestOf(places.at(word), word) ?? new OpenLine(lines.length);
    if (line.words.length === 0) lines.push(line);
    line.add(word);
    places.note(line, word);
  }
  return lines.map((line) => line.words);
}

/** The line that a word overlaps most, the first of equals; undefined if it overlaps none. */
function bestOf(lines: Iterable<OpenLine>, word: ReportWord): OpenLine | undefined {
  let best: OpenLine | undefined;
  let most = BESIDE;
  for (const line of lines) {
    const overlap = line.overlapWith(word);
    const isBetter = best === undefined ? overlap >= most : overlap > most || (overlap === most && line.at < best.at);
    if (isBetter) [best, most] = [line, overlap];
  }
  return best;
}
