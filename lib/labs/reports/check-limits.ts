import { toLines } from "../../domain/lab-reports/page/page-lines.ts";
import type { ReportPage, ReportWord } from "../../domain/lab-reports/page/report-page.ts";
import { invalidInput } from "./check-files.ts";

/** A dense page has about 1,000 words, or about 5,000 if every character is positioned individually. */
export const MAX_WORDS_PER_PAGE = 6_000;
export const MAX_WORDS_PER_REPORT = 30_000;
export const MAX_CHARACTERS_PER_WORD = 1_000;
/** A dense page has about 100 lines. */
export const MAX_LINES_PER_PAGE = 400;
/** A line whose characters are positioned individually has about 150 words. */
export const MAX_WORDS_PER_LINE = 400;
/** A full panel has about 150 results. */
export const MAX_ROWS_PER_REPORT = 2_000;

/** Refuses a page with too many or too long words before they are processed. @throws UnreadableReport */
export function checkWordLimits(words: readonly Pick<ReportWord, "text">[]): void {
  if (words.length > MAX_WORDS_PER_PAGE) throw invalidInput(`A page has at most ${MAX_WORDS_PER_PAGE} words.`);
  if (words.some(({ text }) => text.length > MAX_CHARACTERS_PER_WORD))
    throw invalidInput(`A word has at most ${MAX_CHARACTERS_PER_WORD} characters.`);
}

/** Refuses pages above the limits before their rows are read. @throws UnreadableReport */
export function checkPageLimits(pages: readonly ReportPage[]): void {
  const words = pages.reduce((sum, page) => sum + page.words.length, 0);
  if (words > MAX_WORDS_PER_REPORT) throw invalidInput(`A report has at most ${MAX_WORDS_PER_REPORT} words.`);
  for (const page of pages) {
    checkWordLimits(page.words);
    const lines = toLines(page.words);
    if (lines.length > MAX_LINES_PER_PAGE) throw invalidInput(`A page has at most ${MAX_LINES_PER_PAGE} lines.`);
    if (lines.some((line) => line.words.length > MAX_WORDS_PER_LINE))
      throw invalidInput(`A line has at most ${MAX_WORDS_PER_LINE} words.`);
  }
}

/** Refuses a report with too many results. @throws UnreadableReport */
export function checkRowLimit(rows: readonly unknown[]): void {
  if (rows.length > MAX_ROWS_PER_REPORT) throw invalidInput(`A report has at most ${MAX_ROWS_PER_REPORT} results.`);
}
