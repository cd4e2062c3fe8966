import type { ReportWord } from "../../domain/lab-reports/report-page.ts";

/** Maximum confidence of a word that two readings recognise differently. */
const MOST_DOUBTED = 70;
/** Minimum vertical overlap of words on one line, as a share of the lower height. */
const SHARED_HEIGHT = 0.5;

/** Words at the same position in two readings. */
interface Place {
  readonly first: ReportWord[];
  readonly second: ReportWord[];
}

/**
 * Merges two OCR readings of a page. Where they differ, the more confident reading wins, with reduced confidence. OCR
 * loses decimal points more often than it invents them, so a reading with more points wins.
 * @param isReread whether the second reading covers a word of the first; other words stay as they are.
 */
export function agreedWords(
  first: readonly ReportWord[],
  second: readonly ReportWord[],
  isReread: (word: ReportWord) => boolean = () => true,
): ReportWord[] {
  return placesOf(first, second).flatMap((place) => {
    if (place.first.length === 0) return place.second.map(doubted);
    if (place.second.length === 0) return place.first.map((word) => (isReread(word) ? doubted(word) : word));
    const isSecond = isSurer(place.second, place.first);
    const words = isSecond ? place.second : place.first;
    return textOf(place.first) === textOf(place.second) ? words : words.map(doubted);
  });
}

const doubted = (word: ReportWord) => ({ ...word, confidence: Math.min(word.confidence, MOST_DOUBTED) });
const textOf = (words: readonly ReportWord[]) => words.map(({ text }) => text).join("");

function isSurer(words: readonly ReportWord[], others: readonly ReportWord[]): boolean {
  const [own, other] = [textOf(words), textOf(others)];
  if (own.replaceAll(".", "") === other.replaceAll(".", "") && own !== other) return own.length > other.length;
  return least(words) > least(others);
}

const least = (words: readonly ReportWord[]) => Math.min(...words.map(({ confidence }) => confidence));

/** Aligns the words of two readings by overlap, in the order of the first. */
function placesOf(first: readonly ReportWord[], second: readonly ReportWord[]): Place[] {
  const places: Place[] = first.map((word) => ({ first: [word], second: [] }));
  for (const word of second) {
    const met = places.filter((place) => place.first.some((one) => overlap(one, word)));
    const [kept, ...merged] = met;
    if (!kept) places.splice(followingOf(places, word), 0, { first: [], second: [word] });
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
function followingOf(places: readonly Place[], word: ReportWord): number {
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
  return shared >= SHARED_HEIGHT * Math.min(one.height, other.height);
}
