import { linesOf } from "../../domain/lab-reports/page-lines.ts";
import type { ReportPage, ReportWord } from "../../domain/lab-reports/report-page.ts";
import { invalid } from "./check-files.ts";

/** A dense page has about 1,000 words, or about 5,000 if every character is positioned individually. */
export const MOST_PAGE_WORDS = 6_000;
export const MOST_REPORT_WORDS = 30_000;
export const MOST_WORD_CHARACTERS = 1_000;
/** A dense page has about 100 lines. */
export const MOST_PAGE_LINES = 400;
/** A line whose characters are positioned individually has about 150 words. */
export const MOST_LINE_WORDS = 400;
/** A full panel has about 150 results. */
export const MOST_ROWS = 2_000;

/** Refuses a page with too many or too long words before they are processed. @throws UnreadableReport */
export function checkWords(words: readonly Pick<ReportWord, "text">[]): void {
  if (words.length > MOST_PAGE_WORDS) throw invalid(`A page has at most ${MOST_PAGE_WORDS} words.`);
  if (words.some(({ text }) => text.length > MOST_WORD_CHARACTERS))
    throw invalid(`A word has at most ${MOST_WORD_CHARACTERS} characters.`);
}

/** Refuses pages above the limits before their rows are read. @throws UnreadableReport */
export function checkSize(pages: readonly ReportPage[]): void {
  const words = pages.reduce((sum, page) => sum + page.words.length, 0);
  if (words > MOST_REPORT_WORDS) throw invalid(`A report has at most ${MOST_REPORT_WORDS} words.`);
  for (const page of pages) {
    checkWords(page.words);
    const lines = linesOf(page.words);
    if (lines.length > MOST_PAGE_LINES) throw invalid(`A page has at most ${MOST_PAGE_LINES} lines.`);
    if (lines.some((line) => line.words.length > MOST_LINE_WORDS))
      throw invalid(`A line has at most ${MOST_LINE_WORDS} words.`);
  }
}

/** Refuses a report with too many results. @throws UnreadableReport */
export function checkRows(rows: readonly unknown[]): void {
  if (rows.length > MOST_ROWS) throw invalid(`A report has at most ${MOST_ROWS} results.`);
}
