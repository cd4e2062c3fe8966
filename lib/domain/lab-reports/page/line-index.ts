import type { LineBuilder } from "./line-builder.ts";
import type { ReportWord } from "./report-page.ts";

/** Maximum number of bands per word. A taller word is indexed by the bands at its middle. */
const MAX_BANDS_PER_WORD = 64;
/** Maximum number of lines per band; paper has two or three. */
const MAX_LINES_PER_BAND = 12;
/** Minimum height of a band, points. */
const MIN_BAND_HEIGHT_PT = 0.5;

/** A spatial index of lines by horizontal bands of the page. */
export class LineIndex {
  readonly #band: number;
  readonly #lines = new Map<number, Set<LineBuilder>>();

  /** @param usual the median height of a word, which is the height of a band. */
  constructor(usual: number) {
    this.#band = Math.max(usual, MIN_BAND_HEIGHT_PT);
  }

  /** The lines near a word. */
  linesNear(word: ReportWord): Set<LineBuilder> {
    const found = new Set<LineBuilder>();
    for (const band of this.#bandsOf(word)) for (const line of this.#lines.get(band) ?? []) found.add(line);
    return found;
  }

  /** Indexes a line at the height of a word. */
  add(line: LineBuilder, word: ReportWord): void {
    for (const band of this.#bandsOf(word)) {
      const lines = this.#lines.get(band);
      if (lines && lines.size < MAX_LINES_PER_BAND) lines.add(line);
      else if (!lines) this.#lines.set(band, new Set([line]));
    }
  }

  #bandsOf({ top, height }: ReportWord): number[] {
    const [first, last] = [Math.floor(top / this.#band), Math.floor((top + height) / this.#band)];
    const from = Math.max(first, Math.floor((first + last - MAX_BANDS_PER_WORD) / 2));
    return Array.from(
      { length: Math.max(0, Math.min(last - first, MAX_BANDS_PER_WORD)) + 1 },
      (_, place) => from + place,
    );
  }
}
