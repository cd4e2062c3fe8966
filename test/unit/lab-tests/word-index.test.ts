import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { markerSearchText } from "../../../lib/domain/lab-tests/catalogue.ts";
import { WordIndex } from "../../../lib/domain/lab-tests/word-index.ts";
import { rankMatch, splitWords } from "../../../lib/domain/lab-tests/words.ts";
import { bundledCatalogue } from "./test-catalogue.ts";

/** The optimal string alignment distance of two words, computed with the textbook algorithm. */
function distance(one: string, other: string): number {
  const rows = [Array.from({ length: other.length + 1 }, (_, index) => index)];
  for (let i = 1; i <= one.length; i++) {
    const row = [i];
    for (let j = 1; j <= other.length; j++) {
      const isSame = one[i - 1] === other[j - 1];
      const isExchanged = i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1];
      const above = rows[i - 1] ?? [];
      row[j] = Math.min(
        (above[j] ?? 0) + 1,
        (row[j - 1] ?? 0) + 1,
        (above[j - 1] ?? 0) + (isSame ? 0 : 1),
        isExchanged ? (rows[i - 2]?.[j - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    rows.push(row);
  }
  return rows.at(-1)?.at(-1) ?? 0;
}

/** A brute-force reference for {@link rankMatch} that tries every prefix of the word. */
function plainFit(typed: string, word: string): number | undefined {
  if (typed === word) return 0;
  if (word.startsWith(typed)) return 1;
  if (typed.length < 4 || /\p{N}/u.test(typed)) return undefined;
  const beginnings = Array.from({ length: word.length + 1 }, (_, length) => word.slice(0, length));
  return beginnings.some((beginning) => distance(typed, beginning) <= 1) ? 2 : undefined;
}

const texts = bundledCatalogue.markers.map(({ test, wire }) => markerSearchText(test, wire.provider_id));
const vocabulary = [...new Set(texts.flatMap(splitWords))];

/** A prefix of a catalogue word with some typos. */
const typed = fc
  .tuple(
    fc.constantFrom(...vocabulary),
    fc.nat(12),
    fc.array(fc.tuple(fc.nat(12), fc.constantFrom(..."abelrst"), fc.nat(3)), { maxLength: 2 }),
  )
  .map(([word, length, typos]) =>
    typos.reduce(
      (text, [at, letter, kind]) => {
        const before = text.slice(0, at);
        if (kind === 0) return before + letter + text.slice(at + 1);
        if (kind === 1) return before + letter + text.slice(at);
        return kind === 2
          ? before + text.slice(at + 1)
          : before + (text[at + 1] ?? "") + (text[at] ?? "") + text.slice(at + 2);
      },
      word.slice(0, 2 + length),
    ),
  );

describe("a search term", () => {
  test("matches exactly the words that it begins, with at most one typo", () => {
    fc.assert(
      fc.property(typed, fc.constantFrom(...vocabulary), (text, word) => {
        expect(rankMatch(text, word)).toBe(plainFit(text, word));
      }),
      { numRuns: 1_000 },
    );
    // Similar pairs, which random input rarely produces.
    fc.assert(
      fc.property(typed, (text) => {
        for (const word of vocabulary)
          expect([text, word, rankMatch(text, word)]).toEqual([text, word, plainFit(text, word)]);
      }),
      { numRuns: 12 },
    );
  });

  test.each([
    ["cholesterol", "cholesterol", 0],
    ["chol", "cholesterol", 1],
    ["cholestrol", "cholesterol", 2],
    ["colesterol", "cholesterol", 2],
    ["chloesterol", "cholesterol", 2],
    ["cholessterol", "cholesterol", 2],
    ["chxlesterol", "cholesterol", 2],
    ["ths", "tsh", undefined],
    ["90106", "90506", undefined],
  ])("%s matches %s: %s", (text, word, fit) => {
    expect(rankMatch(text, word)).toBe(fit);
  });
});

describe("a search", () => {
  test("finds what a full scan finds, in the same order", () => {
    const index = new WordIndex(texts);
    const words = texts.map((text) => splitWords(text));
    fc.assert(
      fc.property(fc.array(typed, { minLength: 1, maxLength: 3 }), (given) => {
        const asked = [...new Set(splitWords(given.join(" ")))];
        fc.pre(asked.length > 0);
        const plain = words.flatMap((own, place) => {
          const fits = asked.map((one) =>
            Math.min(...own.map((word) => rankMatch(one, word) ?? Number.POSITIVE_INFINITY)),
          );
          const fit = fits.reduce((sum, one) => sum + one, 0);
          return Number.isFinite(fit) ? { place, fit } : [];
        });
        const sorted = plain.toSorted((one, other) => one.fit - other.fit || one.place - other.place);
        expect(index.search(given.join(" "))).toEqual(sorted);
      }),
      { numRuns: 30 },
    );
  });

  test("accepts words in any order and case, with or without accents and punctuation", () => {
    const found = bundledCatalogue.search("lipid panel").map(({ marker }) => marker.wire.id);
    for (const same of ["PANEL lipid", "lípid-pánel", " panel,  lipid "]) {
      expect(bundledCatalogue.search(same).map(({ marker }) => marker.wire.id)).toEqual(found);
    }
    expect(found.length).toBeGreaterThan(3);
  });

  test("compares each distinct word once per search term, regardless of the number of markers", () => {
    const index = new WordIndex(texts);
    index.search("cholesterol lipid panel");
    expect(index.comparisons).toBe(3 * vocabulary.length);
    expect(vocabulary.length).toBeLessThan(texts.flatMap(splitWords).length / 3);
  });

  test("finds nothing for a query without words", () => {
    expect(bundledCatalogue.search("!!! -")).toEqual([]);
  });
});
