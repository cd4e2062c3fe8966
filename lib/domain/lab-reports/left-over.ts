import { cellsOf, type Line } from "./page-lines.ts";
import { isGroup } from "./range-groups.ts";
import { flagMeaning } from "./read-flag.ts";
import { isRange } from "./read-range.ts";
import { isWholeResult } from "./read-value.ts";
import { readDate } from "./report-dates.ts";
import { isLabelled } from "./report-labels.ts";
import type { ReportWord } from "./report-page.ts";
import { isUnit } from "./report-units.ts";

/** Codes of sites and tests, states of results, and bullets and footnote marks. */
const CODE = /^(?:0\d|[A-Z]{2,3}|\d{3,6}-\d|[•◦▪■□►†‡§|]+)$/;
const STATE = /^(?:final|prelim(?:inary)?|corrected|\(?cont(?:inued|\.)?\)?)$/i;
const TIME = /\b\d{1,2}:\d{2}(?::\d{2})?(?:\s*[ap]m)?\b/gi;
/** Minimum number of words of a sentence, and the minimum share of them that are plain words. */
const FEWEST_WORDS = 4;
const SHARE_OF_WORDS = 0.6;

/** Cells of unassigned words that may carry result content. */
export const evidenceIn = (words: readonly ReportWord[]): string[] =>
  cellsOf(words)
    .map(({ text }) => text)
    .filter(mayBeOfResult);

/** The same for a whole line. Sentences and labelled lines carry none. */
export function evidenceOn(line: Line): string[] {
  if (isLabelled(line.text) || isSentence(line.text)) return [];
  return evidenceIn(line.words);
}

/** Reports whether a text may be result content: a number, unit, flag, range or qualitative result. */
export function mayBeOfResult(printed: string): boolean {
  const text = printed.trim();
  if (flagMeaning(text) !== undefined || isUnit(text)) return true;
  if (CODE.test(text) || STATE.test(text) || isDate(text) || isLabelled(text) || isSentence(text)) return false;
  if (isWholeResult(text) || isRange(text)) return true;
  return /\d/.test(text) || isGroup(text);
}

const isDate = (text: string) => {
  const day = text.replaceAll(TIME, "").trim();
  return day === "" || (readDate(day) !== null && day.length <= LONGEST_DATE);
};
const LONGEST_DATE = 18;

/** Reports whether a text is mostly words, such as a comment or a method. */
export function isSentence(text: string): boolean {
  const words = text.split(" ");
  const plain = words.filter((word) => /\p{L}{2}/u.test(word) && !isUnit(word));
  return words.length >= FEWEST_WORDS && plain.length >= words.length * SHARE_OF_WORDS;
}
