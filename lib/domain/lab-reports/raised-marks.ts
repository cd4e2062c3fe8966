import { characterWidth, rightOf } from "./page-lines.ts";
import type { ReportWord } from "./report-page.ts";

/** Maximum height and minimum rise of a superscript, as shares of the height of the word before it. */
const SMALL = 0.8;
const RAISED = 0.15;
/** Maximum gap between a word and its superscript, in characters of the word. */
const CLOSE = 0.6;
const MARK = /^[([]?(?:\d{1,2}|[a-z]|[*†‡§]{1,3})(?:,(?:\d{1,2}|[a-z]))*[)\]]?$/i;

/**
 * Size of the grid cells of the index, maximum height of a word with a superscript, and maximum number of words per
 * grid cell; points.
 */
const FIELD_WIDTH = 24;
const FIELD_HEIGHT = 32;
const HIGHEST = 100;
const MOST_IN_FIELD = 64;

/** Removes superscript site codes and footnote marks. A superscript exponent joins its base of ten. */
export function withoutRaisedMarks(words: readonly ReportWord[]): ReportWord[] {
  const kept: ReportWord[] = [];
  const powers = new Map<ReportWord, ReportWord>();
  const bearers = new WordEnds(words);
  for (const word of words) {
    const bearer = MARK.test(word.text) ? bearers.bearerOf(word) : undefined;
    if (!bearer) kept.push(word);
    else if (/10$/.test(bearer.text) && /^\d{1,2}$/.test(word.text)) powers.set(bearer, word);
  }
  return kept.map((word) => {
    const power = powers.get(word);
    return power ? { ...word, text: `${word.text}^${power.text}`, width: rightOf(power) - word.left } : word;
  });
}

/** A grid index of the right ends of words, so that a superscript is compared with nearby words only. */
class WordEnds {
  readonly #fields = new Map<string, { readonly word: ReportWord; readonly place: number }[]>();

  constructor(words: readonly ReportWord[]) {
    for (const [place, word] of words.entries()) {
      if (word.height > HIGHEST || CLOSE * characterWidth(word) > FIELD_WIDTH) continue;
      const key = keyOf(Math.floor(rightOf(word) / FIELD_WIDTH), Math.floor(word.top / FIELD_HEIGHT));
      const field = this.#fields.get(key) ?? [];
      if (field.length < MOST_IN_FIELD) field.push({ word, place });
      this.#fields.set(key, field);
    }
  }

  /** The first word that a mark is a superscript of. */
  bearerOf(mark: ReportWord): ReportWord | undefined {
    const column = Math.floor(mark.left / FIELD_WIDTH);
    const first = Math.floor((mark.top - HIGHEST * 0.3) / FIELD_HEIGHT);
    const last = Math.floor((mark.top + Math.min(mark.height, HIGHEST)) / FIELD_HEIGHT);
    let found: { readonly word: ReportWord; readonly place: number } | undefined;
    for (let row = first; row <= last; row++)
      for (const step of [-1, 0, 1])
        for (const one of this.#fields.get(keyOf(column + step, row)) ?? [])
          if (one.place < (found?.place ?? Infinity) && isRaisedBehind(one.word, mark)) found = one;
    return found?.word;
  }
}

const keyOf = (column: number, row: number) => `${column} ${row}`;

function isRaisedBehind(bearer: ReportWord, mark: ReportWord): boolean {
  const gap = mark.left - rightOf(bearer);
  const rise = bearer.top + bearer.height - mark.top - mark.height;
  return (
    bearer !== mark &&
    mark.height < bearer.height * SMALL &&
    Math.abs(gap) < CLOSE * characterWidth(bearer) &&
    rise > bearer.height * RAISED &&
    mark.top < bearer.top + bearer.height * 0.3 &&
    rise < bearer.height
  );
}
