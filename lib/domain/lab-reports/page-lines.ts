import { gatherLines } from "./gather-lines.ts";
import type { ReportWord } from "./report-page.ts";

/** Words of one line that stand together, as far as gaps tell. */
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

/** From how many widths of a character on a gap parts cells: spaces of fixed-width fonts are one wide. */
const CELL_GAP = 1.7;
/** What is left of rulings, boxes and dotted leaders, also when they had to be recognised. */
const RULING = /^(?:[|_¦‖]+|[.·•…]{2,}|[-—–_.=~]{2,})$/;
const LEADER = /(?:[.·…]\s?){3,}|…+|_{3,}/;

/** What specks are recognised as: single signs that nothing in a report begins or ends with, and letters hardly sure. */
const SPECK = /^[;:~=,'"`‘’“”©®°«»¢_.—\\|-]{1,2}$/;
const isSpeck = ({ text, confidence }: ReportWord) =>
  confidence < 100 &&
  ((SPECK.test(text) && !(/^[-—]$/.test(text) && confidence > 50)) ||
    (confidence < 30 && /^[^\d%<>]{1,2}$/.test(text)));

/** The words of a page as lines from top to bottom; rulings and leaders are left out and part cells by their room. */
export function linesOf(words: readonly ReportWord[]): Line[] {
  const hasSigns = words.some(({ text }) => /^\+{1,2}$/.test(text));
  const isRuling = ({ text }: ReportWord) => RULING.test(text) && !(hasSigns && text === "--");
  const shown = words
    .flatMap(withoutLeaders)
    .filter((word, place, all) => word.text !== "" && !isRuling(word) && !isSpeckBeside(word, all[place - 1]));
  return gatherLines(shown, middle(shown.map(({ height }) => height)))
    .map(toLine)
    .sort((a, b) => a.top + a.bottom - b.top - b.bottom);
}

/** The sign of equality in `< OR = 5` is no speck. */
const isSpeckBeside = (word: ReportWord, before: ReportWord | undefined) =>
  isSpeck(word) && !(word.text === "=" && /^(?:or|<|>)$/i.test(before?.text ?? ""));

/** The words of which leaders are a part: `Glucose.....98` is two. */
function withoutLeaders(word: ReportWord): ReportWord[] {
  const match = LEADER.exec(word.text);
  if (!match) return [word];
  const perCharacter = word.width / word.text.length;
  const end = match.index + match[0].length;
  const before = { ...word, text: word.text.slice(0, match.index), width: perCharacter * match.index };
  const left = word.left + perCharacter * end;
  const after = { ...word, text: word.text.slice(end), left, width: perCharacter * (word.text.length - end) };
  return [before, after].filter(({ text }) => text !== "");
}

/** The line of these words. */
export function toLine(words: readonly ReportWord[]): Line {
  const sorted = words.toSorted((a, b) => a.left - b.left);
  return {
    words: sorted,
    cells: cellsOf(sorted),
    text: textOf(sorted),
    left: leftmost(sorted),
    right: rightmost(sorted),
    top: middle(words.map(({ top }) => top)),
    bottom: middle(words.map(({ top, height }) => top + height)),
  };
}

/** Words parted where the gap is wider than a space could be. */
export function cellsOf(words: readonly ReportWord[]): Cell[] {
  const groups: ReportWord[][] = [];
  for (const word of words) {
    const last = groups.at(-1)?.at(-1);
    if (last && !isApart(last, word)) groups.at(-1)?.push(word);
    else groups.push([word]);
  }
  return groups.map(toCell);
}

/** The cell of these words, which stand in their order. */
export function toCell(words: readonly ReportWord[]): Cell {
  return { words, text: textOf(words), left: leftmost(words), right: rightmost(words) };
}

/** Whether two neighbours stand further apart than words do. */
export function isApart(one: ReportWord, next: ReportWord): boolean {
  return next.left - rightOf(one) > CELL_GAP * Math.max(characterWidth(one), characterWidth(next));
}

/** The width of a character, as the word's own width or, where it is too short to tell, its height has it. */
export function characterWidth({ text, width, height }: ReportWord): number {
  return text.length < 3 ? Math.min(height * 0.6, Math.max(height * 0.4, width / text.length)) : width / text.length;
}

const leftmost = (words: readonly ReportWord[]) => words.reduce((least, { left }) => Math.min(least, left), Infinity);
const rightmost = (words: readonly ReportWord[]) =>
  words.reduce((most, word) => Math.max(most, rightOf(word)), -Infinity);

export const rightOf = ({ left, width }: ReportWord): number => left + width;

export const textOf = (words: readonly ReportWord[]): string => words.map(({ text }) => text).join(" ");

/** The middle one of numbers; 0 of none. */
export function middle(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;
}
