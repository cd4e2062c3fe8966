/** Letters from which on a word may have a typo: shorter ones would match too much. */
const FEWEST_LETTERS = 4;

/** The words of a text without case, accents and punctuation. */
export function wordsOf(text: string): string[] {
  const plain = text.normalize("NFKD").replaceAll(/\p{M}/gu, "").toLowerCase();
  return plain.match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** How well a word fits what was typed of it; lower is better, undefined is not at all. */
export type Fit = 0 | 1 | 2;

/**
 * Whether a typed word is the word (0), its beginning (1), or its beginning with one typo (2): a letter that is wrong,
 * missing, too many, or exchanged with the next. Short words and words with digits, such as test codes, have no typos: another
 * code is another test.
 */
export function fitOf(typed: string, word: string): Fit | undefined {
  if (typed === word) return 0;
  if (word.startsWith(typed)) return 1;
  if (typed.length < FEWEST_LETTERS || /\p{N}/u.test(typed)) return undefined;
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
