import type { ReportWord } from "../../../domain/lab-reports/page/report-page.ts";

/** Maximum confidence of a word that two readings recognise differently. */
const MAX_DISPUTED_CONFIDENCE = 70;
/** Minimum vertical overlap of words on one line, as a share of the lower height. */
const MIN_VERTICAL_OVERLAP = 0.5;

/** Words at the same position in two readings. */
interface WordGroup {
  readonly first: ReportWord[];
  readonly second: ReportWord[];
}

/**
 * Merges two OCR readings of a page. Where they differ, the more confident reading wins, with reduced confidence. OCR
 * loses decimal points more often than it invents them, so a reading with more points wins.
 * @param isReread whether the second reading covers a word of the first; other words stay as they are.
 */
export function mergeReadings(
  first: readonly ReportWord[],
  second: readonly ReportWord[],
  isReread: (word: ReportWord) => boolean = () => true,
): ReportWord[] {
  return alignWords(first, second).flatMap((place) => {
    if (place.first.length === 0) return place.second.map(capConfidence);
    if (place.second.length === 0) return place.first.map((word) => (isReread(word) ? capConfidence(word) : word));
    const isSecond = isMoreConfident(place.second, place.first);
    const words = isSecond ? place.second : place.first;
    return textOf(place.first) === textOf(place.second) ? words : words.map(capConfidence);
  });
}

const capConfidence = (word: ReportWord) => ({
  ...word,
  confidence: Math.min(word.confidence, MAX_DISPUTED_CONFIDENCE),
});
const textOf = (words: readonly ReportWord[]) => words.map(({ text }) => text).join("");

function isMoreConfident(words: readonly ReportWord[], others: readonly ReportWord[]): boolean {
  const [own, other] = [textOf(words), textOf(others)];
  if (own.replaceAll(".", "") === other.replaceAll(".", "") && own !== other) return own.length > other.length;
  return minConfidence(words) > minConfidence(others);
}

const minConfidence = (words: readonly ReportWord[]) => Math.min(...words.map(({ confidence }) => confidence));

/** Aligns the words of two readings by overlap, in the order of the first. */
function alignWords(first: readonly ReportWord[], second: readonly ReportWord[]): WordGroup[] {
  const places: WordGroup[] = first.map((word) => ({ first: [word], second: [] }));
  for (const word of second) {
    const met = places.filter((place) => place.first.some((one) => overlap(one, word)));
    const [kept, ...merged] = met;
    if (!kept) places.splice(insertionIndex(places, word), 0, { first: [], second: [word] });
    else {
      kept.second.push(word);
      for (const place of merged) {
        kept.first.push(...place.first);
        kept.second.push(...place.second);
        places.splice(places.indexOf(place), 1);
      }
    }
  }
  for (const place of places) place.second.sort((a, b) => a.left - b.left);
  return places;
}

/** The position of a word that only the second reading has: after the last word before it on its line. */
function insertionIndex(places: readonly WordGroup[], word: ReportWord): number {
  const before = places.findLastIndex(({ first, second }) =>
    [...first, ...second].some((one) => isInLine(one, word) && one.left < word.left),
  );
  return before < 0 ? places.length : before + 1;
}

function overlap(one: ReportWord, other: ReportWord): boolean {
  const shared = Math.min(one.left + one.width, other.left + other.width) - Math.max(one.left, other.left);
  return shared > 0.2 * Math.min(one.width, other.width) && isInLine(one, other);
}

function isInLine(one: ReportWord, other: ReportWord): boolean {
  const shared = Math.min(one.top + one.height, other.top + other.height) - Math.max(one.top, other.top);
  return shared >= MIN_VERTICAL_OVERLAP * Math.min(one.height, other.height);
}
