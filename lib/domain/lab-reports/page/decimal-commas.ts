import type { ReportPage, ReportWord } from "./report-page.ts";

/** Numbers, spans and bounds, with adjacent brackets, signs and flags. */
const NUMERIC = /^[<>≤≥=~([]*\d[\d.,]*(?:[-–—]\d[\d.,]*)?[)\],;HLAC*↑↓!%]*$/;
const BY_COMMA = /(?<![\d.,])(?:\d+,(?:\d{1,2}|\d{4,})|0,\d{3})(?![\d.,])/;
const BY_POINT = /(?<![\d.,])(?:\d+\.(?:\d{1,2}|\d{4,})|0\.\d{3})(?![\d.,])/;
/** Minimum number of numbers with a decimal comma before commas count as decimal separators. */
const MIN_COMMA_NUMBERS = 3;

/** Reports whether a report uses decimal commas. */
export function hasDecimalCommas(pages: readonly ReportPage[]): boolean {
  const numbers = pages.flatMap(({ words }) => words).filter(({ text }) => NUMERIC.test(text));
  const count = (form: RegExp) => numbers.filter(({ text }) => form.test(text)).length;
  return count(BY_COMMA) >= MIN_COMMA_NUMBERS && count(BY_POINT) === 0;
}

/** Swaps points and commas in words that are numbers. */
export const replaceDecimalCommas = (words: readonly ReportWord[]): ReportWord[] =>
  words.map((word) =>
    NUMERIC.test(word.text) && !isDate(word.text) ? { ...word, text: swapSeparators(word.text) } : word,
  );

const isDate = (text: string) => /\d{1,2}\.\d{1,2}\.(?:\d{2}|\d{4})\b/.test(text);

/** Swaps points and commas between digits. */
export const swapSeparators = (text: string): string =>
  text.replaceAll(/(?<=\d)[.,](?=\d)/g, (sign) => (sign === "," ? "." : ","));
