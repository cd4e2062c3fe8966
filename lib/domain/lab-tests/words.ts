/** Minimum length of a word that may have a typo; shorter words would match too much. */
const MIN_LETTERS_FOR_TYPOS = 4;

/** Splits a text into words, without case, accents and punctuation. */
export function splitWords(text: string): string[] {
  const plain = text.normalize("NFKD").replaceAll(/\p{M}/gu, "").toLowerCase();
  return plain.match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** Rank of a match; lower is better. */
export type MatchRank = 0 | 1 | 2;

/**
 * Matches a typed word: 0 if it equals the word, 1 if it is a prefix, 2 if it is a prefix with one typo, undefined if
 * it does not match. A typo is one wrong, missing, extra or transposed letter. Short words and words with digits allow
 * no typo: a different test code is a different test.
 */
export function rankMatch(typed: string, word: string): MatchRank | undefined {
  if (typed === word) return 0;
  if (word.startsWith(typed)) return 1;
  if (typed.length < MIN_LETTERS_FOR_TYPOS || /\p{N}/u.test(typed)) return undefined;
  let same = 0;
  while (typed[same] === word[same]) same++;
  const rest = (skipped: number) => typed.slice(same + skipped);
  const isWrong = word.startsWith(rest(1), same + 1) && same < word.length;
  const isTooMany = word.startsWith(rest(1), same);
  const isMissing = word.startsWith(rest(0), same + 1);
  const isExchanged =
    typed[same] === word[same + 1] && typed[same + 1] === word[same] && word.startsWith(rest(2), same + 2);
  return isWrong || isTooMany || isMissing || isExchanged ? 2 : undefined;
}
