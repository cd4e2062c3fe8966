import { LinePlaces } from "./line-places.ts";
import { OpenLine } from "./open-line.ts";
import type { ReportWord } from "./report-page.ts";

/** The least share of its height that a word has beside a line that it is of. */
const BESIDE = 0.5;

/**
 * Puts words into the lines that they stand in, in time that grows with their number: a word is compared with the lines
 * at its height alone, and in each with the words nearest to it alone.
 * @param usual the height of most words.
 */
export function gatherLines(words: readonly ReportWord[], usual: number): (readonly ReportWord[])[] {
  // What is as high as most words tells where lines are; the rest is put to them.
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

/** The line that a word is the most beside, the first of several; undefined where it is beside none. */
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
