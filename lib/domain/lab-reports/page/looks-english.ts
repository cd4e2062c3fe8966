import type { ReportPage } from "./report-page.ts";

/** Words that occur in almost every English report. */
const ENGLISH = new Set(
  "the of and to in for is are by with or not from this was on at be test tests result results range reference unit units name date patient specimen collected reported received laboratory lab physician report normal high low flag blood serum urine total count sex age birth page final status ordering account phone value interval sample provider client negative positive panel female male fasting director medical clinical".split(
    " ",
  ),
);
const MIN_WORDS = 60;
const MIN_ENGLISH_SHARE = 0.06;

/**
 * Reports whether a report is in English, by the share of common English words. Reports with few words count as
 * English.
 */
export function looksEnglish(pages: readonly ReportPage[]): boolean {
  const words = pages.flatMap((page) =>
    page.words.flatMap(({ text }) => text.toLowerCase().match(/\p{L}{2,}/gu) ?? []),
  );
  if (words.length < MIN_WORDS) return true;
  const known = words.filter((word) => ENGLISH.has(word));
  return known.length / words.length >= MIN_ENGLISH_SHARE && new Set(known).size >= 4;
}
