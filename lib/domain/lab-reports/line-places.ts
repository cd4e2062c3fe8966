import type { OpenLine } from "./open-line.ts";
import type { ReportWord } from "./report-page.ts";

/** A word goes over at most so many bands; one that is higher is looked for in the bands at its middle. */
const MOST_BANDS = 64;
/** Lines of which words stand in one band at most; two or three do on paper. */
const MOST_LINES = 12;
/** The least height of a band, points. */
const LEAST_BAND = 0.5;

/** Which lines have words in which bands across the page. */
export class LinePlaces {
  readonly #band: number;
  readonly #lines = new Map<number, Set<OpenLine>>();

  /** @param usual the usual height of a word, which a band has. */
  constructor(usual: number) {
    this.#band = Math.max(usual, LEAST_BAND);
  }

  /** The lines of which a word may be. */
  at(word: ReportWord): Set<OpenLine> {
    const found = new Set<OpenLine>();
    for (const band of this.#bandsOf(word)) for (const line of this.#lines.get(band) ?? []) found.add(line);
    return found;
  }

  /** Says that a word is of a line. */
  note(line: OpenLine, word: ReportWord): void {
    for (const band of this.#bandsOf(word)) {
      const lines = this.#lines.get(band);
      if (lines && lines.size < MOST_LINES) lines.add(line);
      else if (!lines) this.#lines.set(band, new Set([line]));
    }
  }

  #bandsOf({ top, height }: ReportWord): number[] {
    const [first, last] = [Math.floor(top / this.#band), Math.floor((top + height) / this.#band)];
    const from = Math.max(first, Math.floor((first + last - MOST_BANDS) / 2));
    return Array.from({ length: Math.max(0, Math.min(last - first, MOST_BANDS)) + 1 }, (_, place) => from + place);
  }
}
