import { startsWithHeaderLabel } from "../page/header-labels.ts";
import { type Line, splitCells } from "../page/page-lines.ts";
import { readDate } from "../page/report-dates.ts";
import type { ReportWord } from "../page/report-page.ts";
import { startsWithPopulation } from "./population-ranges.ts";
import { flagMeaning } from "./read-flag.ts";
import { isRange } from "./read-range.ts";
import { isUnambiguousResult } from "./read-value.ts";
import { isUnit } from "./report-units.ts";

/** Codes of sites and tests, states of results, and bullets and footnote marks. */
const CODE = /^(?:0\d|[A-Z]{2,3}|\d{3,6}-\d|[•◦▪■□►†‡§|]+)$/;
const STATE = /^(?:final|prelim(?:inary)?|corrected|\(?cont(?:inued|\.)?\)?)$/i;
const TIME = /\b\d{1,2}:\d{2}(?::\d{2})?(?:\s*[ap]m)?\b/gi;
/** Minimum number of words of a sentence, and the minimum share of them that are plain words. */
const MIN_SENTENCE_WORDS = 4;
const MIN_PLAIN_WORD_SHARE = 0.6;

/** Cells of unassigned words that may carry result content. */
const unreadTextsInWords = (words: readonly ReportWord[]): string[] =>
  splitCells(words)
    .map(({ text }) => text)
    .filter(mayBeResultText);

/** The same for a whole line. Sentences and labelled lines carry none. */
export function unreadTextsOnLine(line: Line): string[] {
  if (startsWithHeaderLabel(line.text) || isSentence(line.text)) return [];
  return unreadTextsInWords(line.words);
}

/** Reports whether a text may be result content: a number, unit, flag, range or qualitative result. */
export function mayBeResultText(printed: string): boolean {
  const text = printed.trim();
  if (flagMeaning(text) !== undefined || isUnit(text)) return true;
  if (CODE.test(text) || STATE.test(text) || isDate(text) || startsWithHeaderLabel(text) || isSentence(text))
    return false;
  if (isUnambiguousResult(text) || isRange(text)) return true;
  return /\d/.test(text) || startsWithPopulation(text);
}

const isDate = (text: string) => {
  const day = text.replaceAll(TIME, "").trim();
  return day === "" || (readDate(day) !== null && day.length <= MAX_DATE_LENGTH);
};
const MAX_DATE_LENGTH = 18;

/** Reports whether a text is mostly words, such as a comment or a method. */
export function isSentence(text: string): boolean {
  const words = text.split(" ");
  const plain = words.filter((word) => /\p{L}{2}/u.test(word) && !isUnit(word));
  return words.length >= MIN_SENTENCE_WORDS && plain.length >= words.length * MIN_PLAIN_WORD_SHARE;
}
