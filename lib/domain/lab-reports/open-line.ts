import type { ReportWord } from "./report-page.ts";

/** How many words of a line, those nearest to another word, tell whether that is of the line: a page may be askew. */
const NEAREST = 3;

interface Added {
  readonly word: ReportWord;
  /** Its place among the words that were added. */
  readonly order: number;
}

/** A line of words that is still being put together. */
export class OpenLine {
  /** Its place among the lines. */
  readonly at: number;
  readonly words: ReportWord[] = [];
  /** Where its words begin, from left to right, and the first few that begin there. */
  readonly #lefts: number[] = [];
  readonly #byLeft: Added[][] = [];

  constructor(at: number) {
    this.at = at;
  }

  add(word: ReportWord): void {
    const added = { word, order: this.words.push(word) };
    const place = this.#placeOf(word.left);
    if (this.#lefts[place] !== word.left) {
      this.#lefts.splice(place, 0, word.left);
      this.#byLeft.splice(place, 0, [added]);
    } else if ((this.#byLeft[place]?.length ?? 0) < NEAREST) this.#byLeft[place]?.push(added);
  }

  /** How much of the lower of the two is beside the words of the line that are nearest to a word. */
  overlapWith(word: ReportWord): number {
    const near = this.#nearestTo(word);
    if (near[0] && isOtherSize(near[0], word)) return 0;
    const shares = near.map((last) => {
      const shared = Math.min(last.top + last.height, word.top + word.height) - Math.max(last.top, word.top);
      return shared / Math.max(0.1, Math.min(last.height, word.height));
    });
    return Math.max(...shares);
  }

  #nearestTo({ left }: ReportWord): ReportWord[] {
    const place = this.#placeOf(left);
    const around = this.#byLeft.slice(Math.max(0, place - NEAREST), place + NEAREST).flat();
    const away = ({ word }: Added) => Math.abs(word.left - left);
    return around
      .sort((a, b) => away(a) - away(b) || a.order - b.order)
      .slice(0, NEAREST)
      .map(({ word }) => word);
  }

  /** The place of the first beginning that is not before another. */
  #placeOf(left: number): number {
    let [from, to] = [0, this.#lefts.length];
    while (from < to) {
      const middle = (from + to) >> 1;
      if ((this.#lefts[middle] ?? left) < left) from = middle + 1;
      else to = middle;
    }
    return from;
  }
}

/** Whether two words can not be of one line, as a stamp across a table is not of its lines. */
function isOtherSize(one: ReportWord, other: ReportWord): boolean {
  const [low, tall] = one.height < other.height ? [one, other] : [other, one];
  return tall.height > 2.2 * low.height && /[\p{L}\d]{2}/u.test(tall.text) && /[\p{L}\d]/u.test(low.text);
}
