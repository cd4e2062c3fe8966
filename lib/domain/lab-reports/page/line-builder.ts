import type { ReportWord } from "./report-page.ts";

/** Number of nearest words of a line that decide whether another word belongs to it; a page may be skewed. */
const NEAREST_WORDS = 3;

interface AddedWord {
  readonly word: ReportWord;
  /** Insertion order. */
  readonly order: number;
}

/** Builds a text line word by word. */
export class LineBuilder {
  /** Index of the line. */
  readonly at: number;
  readonly words: ReportWord[] = [];
  /** Left edges in ascending order, and the first few words at each. */
  readonly #lefts: number[] = [];
  readonly #byLeft: AddedWord[][] = [];

  constructor(at: number) {
    this.at = at;
  }

  add(word: ReportWord): void {
    const added = { word, order: this.words.push(word) };
    const place = this.#placeOf(word.left);
    if (this.#lefts[place] !== word.left) {
      this.#lefts.splice(place, 0, word.left);
      this.#byLeft.splice(place, 0, [added]);
    } else if ((this.#byLeft[place]?.length ?? 0) < NEAREST_WORDS) this.#byLeft[place]?.push(added);
  }

  /** Maximum vertical overlap with the nearest words of the line, as a share of the lower height. */
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
    const around = this.#byLeft.slice(Math.max(0, place - NEAREST_WORDS), place + NEAREST_WORDS).flat();
    const away = ({ word }: AddedWord) => Math.abs(word.left - left);
    return around
      .sort((a, b) => away(a) - away(b) || a.order - b.order)
      .slice(0, NEAREST_WORDS)
      .map(({ word }) => word);
  }

  /** Binary search for the first left edge that is not before a position. */
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

/**
 * Reports whether two words differ too much in height for one line. A stamp across a table belongs to none of its
 * lines.
 */
function isOtherSize(one: ReportWord, other: ReportWord): boolean {
  const [low, tall] = one.height < other.height ? [one, other] : [other, one];
  return tall.height > 2.2 * low.height && /[\p{L}\d]{2}/u.test(tall.text) && /[\p{L}\d]/u.test(low.text);
}
