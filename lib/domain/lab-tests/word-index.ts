import { fitOf, wordsOf } from "./words.ts";

/** A text that was found. */
export interface Found {
  readonly place: number;
  /** How far what was typed is from the words of the text: 0 when each is one of them, 1 more for a beginning, 2 for a typo. */
  readonly fit: number;
}

/** Texts by the words in them, so that a search looks at each distinct word once, however many texts have it. */
export class WordIndex {
  /** Places of texts by word. */
  readonly #places = new Map<string, number[]>();
  /** Comparisons of words made so far. */
  comparisons = 0;

  constructor(texts: readonly string[]) {
    for (const [place, text] of texts.entries()) {
      for (const word of new Set(wordsOf(text))) {
        const places = this.#places.get(word);
        if (places) places.push(place);
        else this.#places.set(word, [place]);
      }
    }
  }

  /** How many distinct words there are. */
  get size(): number {
    return this.#places.size;
  }

  /** The texts that have every typed word, in any order; those that fit best come first, equals in their order. */
  search(typed: string): Found[] {
    const words = [...new Set(wordsOf(typed))];
    const [first = new Map<number, number>(), ...others] = words.map((word) => this.#fitting(word));
    const found = [...first].flatMap(([place, fit]) => {
      const fits = others.map((fitting) => fitting.get(place));
      return fits.includes(undefined) ? [] : { place, fit: fits.reduce<number>((sum, one) => sum + (one ?? 0), fit) };
    });
    return found.sort((one, other) => one.fit - other.fit || one.place - other.place);
  }

  /** The best fit of one typed word with each text that has such a word. */
  #fitting(typed: string): Map<number, number> {
    const best = new Map<number, number>();
    for (const [word, places] of this.#places) {
      this.comparisons++;
      const fit = fitOf(typed, word);
      if (fit === undefined) continue;
      for (const place of places) best.set(place, Math.min(best.get(place) ?? fit, fit));
    }
    return best;
  }
}
