import type { OpenLine } from "./open-line.ts";
import type { ReportWord } from "./report-page.ts";

/** Maximum number of bands per word. A taller word is indexed by the bands at its middle. */
const MOST_BANDS = 64;
/** Maximum number of lines per band; paper has two or three. */
const MOST_LINES = 12;
/** Minimum height of a band, points. */
const LEAST_BAND = 0.5;

/** A spatial index of lines by horizontal bands of the page. */
export class LinePlaces {
  readonly #band: number;
  readonly #lines = new Map<number, Set<OpenLine>>();

  /** @param usual the median height of a word, which is the height of a band. */
  constructor(usual: number) {
    this.#band = Math.max(usual, LEAST_BAND);
  }

  /** The lines near a word. */
  at(word: ReportWord): Set<OpenLine> {
    const found = new Set<OpenLine>();
    for (const band of this.#bandsOf(word)) for (const line of this.#lines.get(band) ?? []) found.add(line);
    return found;
  }

  /** Indexes a line at the height of a word. */
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
