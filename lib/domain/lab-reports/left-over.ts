import { cellsOf, type Line } from "./page-lines.ts";
import { isGroup } from "./range-groups.ts";
import { flagMeaning } from "./read-flag.ts";
import { isRange } from "./read-range.ts";
import { isWholeResult } from "./read-value.ts";
import { readDate } from "./report-dates.ts";
import { isLabelled } from "./report-labels.ts";
import type { ReportWord } from "./report-page.ts";
import { isUnit } from "./report-units.ts";

/** Codes of sites and tests, states of results, and marks before and behind names. */
const CODE = /^(?:0\d|[A-Z]{2,3}|\d{3,6}-\d|[•◦▪■□►†‡§|]+)$/;
const STATE = /^(?:final|prelim(?:inary)?|corrected|\(?cont(?:inued|\.)?\)?)$/i;
const TIME = /\b\d{1,2}:\d{2}(?::\d{2})?(?:\s*[ap]m)?\b/gi;
/** From how many words on a text may be a sentence, and how many of them at least are no numbers. */
const FEWEST_WORDS = 4;
const SHARE_OF_WORDS = 0.6;

/** Of these words the texts that were read as nothing though they may say something of a result. */
export const evidenceIn = (words: readonly ReportWord[]): string[] =>
  cellsOf(words)
    .map(({ text }) => text)
    .filter(mayBeOfResult);

/** The same of a line as a whole, which may be a sentence, a heading, or a label with what it stands before. */
export function evidenceOn(line: Line): string[] {
  if (isLabelled(line.text) || isSentence(line.text)) return [];
  return evidenceIn(line.words);
}

/** Whether a text says something of a result: a number, a unit, a flag, a range, or a result in words. */
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

/** Whether most of a text are words, as of a comment or the name of a method. */
export function isSentence(text: string): boolean {
  const words = text.split(" ");
  const plain = words.filter((word) => /\p{L}{2}/u.test(word) && !isUnit(word));
  return words.length >= FEWEST_WORDS && plain.length >= words.length * SHARE_OF_WORDS;
}
