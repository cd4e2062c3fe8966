import { groupIntoLines } from "./group-into-lines.ts";
import type { ReportWord } from "./report-page.ts";

/** Words of one line without a cell gap between them. */
export interface Cell {
  readonly words: readonly ReportWord[];
  readonly text: string;
  readonly left: number;
  readonly right: number;
}

/** Words on one baseline, from left to right. */
export interface Line {
  readonly words: readonly ReportWord[];
  readonly cells: readonly Cell[];
  readonly text: string;
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** Gap that separates cells, in character widths. Spaces of fixed-width fonts are one wide. */
const CELL_GAP = 1.7;
/** Remnants of rulings, boxes and dotted leaders, also as OCR reads them. */
const RULING = /^(?:[|_¦‖]+|[.·•…]{2,}|[-—–_.=~]{2,})$/;
const LEADER = /(?:[.·…]\s?){3,}|…+|_{3,}/;

/** Texts that OCR produces from specks: signs that no text consists of, and letters with little confidence. */
const SPECK = /^[;:~=,'"`‘’“”©®°«»¢_.—\\|-]{1,2}$/;
const isSpeck = ({ text, confidence }: ReportWord) =>
  confidence < 100 &&
  ((SPECK.test(text) && !(/^[-—]$/.test(text) && confidence > 50)) ||
    (confidence < 30 && /^[^\d%<>]{1,2}$/.test(text)));

/**
 * Groups the words of a page into lines from top to bottom. Rulings and leaders are dropped, and their space separates
 * cells.
 */
export function toLines(words: readonly ReportWord[]): Line[] {
  const hasSigns = words.some(({ text }) => /^\+{1,2}$/.test(text));
  const isRuling = ({ text }: ReportWord) => RULING.test(text) && !(hasSigns && text === "--");
  const shown = words
    .flatMap(splitAtLeaders)
    .filter((word, place, all) => word.text !== "" && !isRuling(word) && !isIsolatedSpeck(word, all[place - 1]));
  return groupIntoLines(shown, median(shown.map(({ height }) => height)))
    .map(toLine)
    .sort((a, b) => a.top + a.bottom - b.top - b.bottom);
}

/** The equals sign in `< OR = 5` is no speck. */
const isIsolatedSpeck = (word: ReportWord, before: ReportWord | undefined) =>
  isSpeck(word) && !(word.text === "=" && /^(?:or|<|>)$/i.test(before?.text ?? ""));

/** Splits a word at leaders: `Glucose.....98` is two words. */
function splitAtLeaders(word: ReportWord): ReportWord[] {
  const match = LEADER.exec(word.text);
  if (!match) return [word];
  const perCharacter = word.width / word.text.length;
  const end = match.index + match[0].length;
  const before = { ...word, text: word.text.slice(0, match.index), width: perCharacter * match.index };
  const left = word.left + perCharacter * end;
  const after = { ...word, text: word.text.slice(end), left, width: perCharacter * (word.text.length - end) };
  return [before, after].filter(({ text }) => text !== "");
}

/** Builds a line from words. */
function toLine(words: readonly ReportWord[]): Line {
  const sorted = words.toSorted((a, b) => a.left - b.left);
  return {
    words: sorted,
    cells: splitCells(sorted),
    text: textOf(sorted),
    left: leftmost(sorted),
    right: rightmost(sorted),
    top: median(words.map(({ top }) => top)),
    bottom: median(words.map(({ top, height }) => top + height)),
  };
}

/** Splits words into cells at gaps wider than a space. */
export function splitCells(words: readonly ReportWord[]): Cell[] {
  const groups: ReportWord[][] = [];
  for (const word of words) {
    const last = groups.at(-1)?.at(-1);
    if (last && !hasCellGap(last, word)) groups.at(-1)?.push(word);
    else groups.push([word]);
  }
  return groups.map(toCell);
}

/** Builds a cell from ordered words. */
export function toCell(words: readonly ReportWord[]): Cell {
  return { words, text: textOf(words), left: leftmost(words), right: rightmost(words) };
}

/** Reports whether the gap between two neighbours separates cells. */
export function hasCellGap(one: ReportWord, next: ReportWord): boolean {
  return next.left - rightOf(one) > CELL_GAP * Math.max(characterWidth(one), characterWidth(next));
}

/** The width of a character: the mean of the word, limited by the height for short words. */
export function characterWidth({ text, width, height }: ReportWord): number {
  return text.length < 3 ? Math.min(height * 0.6, Math.max(height * 0.4, width / text.length)) : width / text.length;
}

const leftmost = (words: readonly ReportWord[]) => words.reduce((least, { left }) => Math.min(least, left), Infinity);
const rightmost = (words: readonly ReportWord[]) =>
  words.reduce((most, word) => Math.max(most, rightOf(word)), -Infinity);

export const rightOf = ({ left, width }: ReportWord): number => left + width;

export const textOf = (words: readonly ReportWord[]): string => words.map(({ text }) => text).join(" ");

/** The median; 0 if empty. */
export function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;
}
