import { characterWidth, rightOf } from "./page-lines.ts";
import type { ReportWord } from "./report-page.ts";

/** Maximum height and minimum rise of a superscript, as shares of the height of the word before it. */
const MAX_HEIGHT_SHARE = 0.8;
const MIN_RISE_SHARE = 0.15;
/** Maximum gap between a word and its superscript, in characters of the word. */
const MAX_GAP_CHARACTERS = 0.6;
const MARK = /^[([]?(?:\d{1,2}|[a-z]|[*†‡§]{1,3})(?:,(?:\d{1,2}|[a-z]))*[)\]]?$/i;

/**
 * Size of the grid cells of the index, maximum height of a word with a superscript, and maximum number of words per
 * grid cell; points.
 */
const GRID_CELL_WIDTH_PT = 24;
const GRID_CELL_HEIGHT_PT = 32;
const MAX_BASE_HEIGHT_PT = 100;
const MAX_WORDS_PER_GRID_CELL = 64;

/** Removes superscript site codes and footnote marks. A superscript exponent joins its base of ten. */
export function removeSuperscripts(words: readonly ReportWord[]): ReportWord[] {
  const kept: ReportWord[] = [];
  const powers = new Map<ReportWord, ReportWord>();
  const bearers = new WordEndIndex(words);
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
class WordEndIndex {
  readonly #fields = new Map<string, { readonly word: ReportWord; readonly place: number }[]>();

  constructor(words: readonly ReportWord[]) {
    for (const [place, word] of words.entries()) {
      if (word.height > MAX_BASE_HEIGHT_PT || MAX_GAP_CHARACTERS * characterWidth(word) > GRID_CELL_WIDTH_PT) continue;
      const key = keyOf(Math.floor(rightOf(word) / GRID_CELL_WIDTH_PT), Math.floor(word.top / GRID_CELL_HEIGHT_PT));
      const field = this.#fields.get(key) ?? [];
      if (field.length < MAX_WORDS_PER_GRID_CELL) field.push({ word, place });
      this.#fields.set(key, field);
    }
  }

  /** The first word that a mark is a superscript of. */
  bearerOf(mark: ReportWord): ReportWord | undefined {
    const column = Math.floor(mark.left / GRID_CELL_WIDTH_PT);
    const first = Math.floor((mark.top - MAX_BASE_HEIGHT_PT * 0.3) / GRID_CELL_HEIGHT_PT);
    const last = Math.floor((mark.top + Math.min(mark.height, MAX_BASE_HEIGHT_PT)) / GRID_CELL_HEIGHT_PT);
    let found: { readonly word: ReportWord; readonly place: number } | undefined;
    for (let row = first; row <= last; row++)
      for (const step of [-1, 0, 1])
        for (const one of this.#fields.get(keyOf(column + step, row)) ?? [])
          if (one.place < (found?.place ?? Infinity) && isSuperscriptOf(one.word, mark)) found = one;
    return found?.word;
  }
}

const keyOf = (column: number, row: number) => `${column} ${row}`;

function isSuperscriptOf(bearer: ReportWord, mark: ReportWord): boolean {
  const gap = mark.left - rightOf(bearer);
  const rise = bearer.top + bearer.height - mark.top - mark.height;
  return (
    bearer !== mark &&
    mark.height < bearer.height * MAX_HEIGHT_SHARE &&
    Math.abs(gap) < MAX_GAP_CHARACTERS * characterWidth(bearer) &&
    rise > bearer.height * MIN_RISE_SHARE &&
    mark.top < bearer.top + bearer.height * 0.3 &&
    rise < bearer.height
  );
}
