import type { ReportPage, ReportWord } from "./report-page.ts";

/** Numbers, spans and bounds, with what may stand around them. */
const NUMERIC = /^[<>≤≥=~([]*\d[\d.,]*(?:[-–—]\d[\d.,]*)?[)\],;HLAC*↑↓!%]*$/;
const BY_COMMA = /(?<![\d.,])(?:\d+,(?:\d{1,2}|\d{4,})|0,\d{3})(?![\d.,])/;
const BY_POINT = /(?<![\d.,])(?:\d+\.(?:\d{1,2}|\d{4,})|0\.\d{3})(?![\d.,])/;
/** How many numbers must have a comma before one is taken for a point. */
const FEWEST = 3;

/** Whether a report writes decimals with a comma. */
export function hasDecimalCommas(pages: readonly ReportPage[]): boolean {
  const numbers = pages.flatMap(({ words }) => words).filter(({ text }) => NUMERIC.test(text));
  const count = (form: RegExp) => numbers.filter(({ text }) => form.test(text)).length;
  return count(BY_COMMA) >= FEWEST && count(BY_POINT) === 0;
}

/** Words with points for commas, and commas for points, in what is a number. */
export const withDecimalPoints = (words: readonly ReportWord[]): ReportWord[] =>
  words.map((word) => (NUMERIC.test(word.text) && !isDate(word.text) ? { ...word, text: swapped(word.text) } : word));

const isDate = (text: string) => /\d{1,2}\.\d{1,2}\.(?:\d{2}|\d{4})\b/.test(text);

/** A text with points and commas between digits the other way round. */
export const swapped = (text: string): string =>
  text.replaceAll(/(?<=\d)[.,](?=\d)/g, (sign) => (sign === "," ? "." : ","));
