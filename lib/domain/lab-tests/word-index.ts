import { rankMatch, splitWords } from "./words.ts";

/** Match of a search. */
export interface WordMatch {
  readonly place: number;
  /** Distance of the typed words from the text, summed: 0 for each equal word, 1 for a prefix, 2 for a typo. */
  readonly fit: number;
}

/** Inverted index of texts by word. A search compares each distinct word once. */
export class WordIndex {
  /** Indexes of texts by word. */
  readonly #places = new Map<string, number[]>();
  /** Number of word comparisons so far; tests read it to bound the work of a search. */
  comparisons = 0;

  constructor(texts: readonly string[]) {
    for (const [place, text] of texts.entries()) {
      for (const word of new Set(splitWords(text))) {
        const places = this.#places.get(word);
        if (places) places.push(place);
        else this.#places.set(word, [place]);
      }
    }
  }

  /** Number of distinct words. */
  get size(): number {
    return this.#places.size;
  }

  /** Finds the texts that contain every typed word, in any order. Best match first; equal matches in index order. */
  search(typed: string): WordMatch[] {
    const words = [...new Set(splitWords(typed))];
    const [first = new Map<number, number>(), ...others] = words.map((word) => this.#fitting(word));
    const found = [...first].flatMap(([place, fit]) => {
      const fits = others.map((fitting) => fitting.get(place));
      return fits.includes(undefined) ? [] : { place, fit: fits.reduce<number>((sum, one) => sum + (one ?? 0), fit) };
    });
    return found.sort((one, other) => one.fit - other.fit || one.place - other.place);
  }

  /** Best fit of one typed word for each text with a matching word. */
  #fitting(typed: string): Map<number, number> {
    const best = new Map<number, number>();
    for (const [word, places] of this.#places) {
      this.comparisons++;
      const fit = rankMatch(typed, word);
      if (fit === undefined) continue;
      for (const place of places) best.set(place, Math.min(best.get(place) ?? fit, fit));
    }
    return best;
  }
}
