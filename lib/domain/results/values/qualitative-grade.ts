/** Scales of amounts that differ between methods: dipstick, microscope, and the strength of a reaction. */
type AmountScale = "strip" | "microscopy" | "strength";

/**
 * The meaning of one qualitative result.
 *
 * - `none` and `some`: absent, or present. An amount has a rank on each scale that uses its word; `Positive` has none.
 * - `clarity`, `colour`: of urine, by rank from clear to turbid, and from yellow over amber to other colours.
 * - `immunity`, `finding`: 0 for non-immune and abnormal, 1 for immune and normal.
 */
export type QualitativeGrade =
  | { readonly kind: "none" }
  | { readonly kind: "some"; readonly ranks: Partial<Readonly<Record<AmountScale, number>>> }
  | { readonly kind: "clarity" | "colour" | "immunity" | "finding"; readonly rank: number };

const some = (ranks: Partial<Record<AmountScale, number>>): QualitativeGrade => ({ kind: "some", ranks });
const ranked = (kind: "clarity" | "colour" | "immunity" | "finding", rank: number) => ({ kind, rank }) as const;

/** The rank of colours that urine has only in illness or by food and drugs. */
export const UNUSUAL_COLOUR = 2;

const words: readonly (readonly [QualitativeGrade, string])[] = [
  [
    { kind: "none" },
    "neg|negative|non reactive|nonreactive|not reactive|not detected|none detected|undetected|undetectable|not detectable|none|nil|none seen|not seen|none present|not present|not found|none found|absent|no growth",
  ],
  [some({}), "pos|positive|reactive|detected|present|seen|strongly positive|strong positive|strongly reactive"],
  [
    some({ strength: 1 }),
    "weakly positive|weak positive|low positive|weakly reactive|weak reactive|presumptive positive",
  ],
  [some({ strip: 1 }), "trace|traces"],
  [some({ strip: 2 }), "small|1+|+"],
  [some({ strip: 3, microscopy: 3 }), "moderate"],
  [some({ strip: 3 }), "2+|++"],
  [some({ strip: 4 }), "large|3+|+++"],
  [some({ strip: 5 }), "4+|++++"],
  [some({ microscopy: 1 }), "rare"],
  [some({ microscopy: 2 }), "few|occasional"],
  [some({ microscopy: 4 }), "many"],
  [ranked("clarity", 0), "clear"],
  [ranked("clarity", 1), "slightly hazy|sl hazy|slight hazy|slightly cloudy|sl cloudy|slight cloudy"],
  [ranked("clarity", 2), "hazy"],
  [ranked("clarity", 3), "cloudy"],
  [ranked("clarity", 4), "turbid"],
  [ranked("colour", 0), "yellow|straw|pale yellow|light yellow"],
  [ranked("colour", 1), "amber|dark yellow|deep yellow"],
  [ranked("colour", UNUSUAL_COLOUR), "red|brown|orange|pink|green|blue|black"],
  [ranked("immunity", 0), "non immune|nonimmune|not immune"],
  [ranked("immunity", 1), "immune"],
  [ranked("finding", 0), "abnormal"],
  [ranked("finding", 1), "normal|within normal limits|wnl"],
];

const grades = new Map(words.flatMap(([grade, phrases]) => phrases.split("|").map((phrase) => [phrase, grade])));

/** The meaning of a folded phrase; undefined for other words. */
export const gradeOf = (phrase: string): QualitativeGrade | undefined => grades.get(phrase);

/** Folds the case, hyphens and spaces of a phrase. */
export const foldPhrase = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[\s–—-]+/g, " ")
    .replaceAll(" +", "+")
    .replaceAll(/(?<=\p{L})\./gu, "")
    .trim();

/** `Immune (>0.99)`, `Negative <0.9`: numbers behind the words. */
const NUMBERS_BEHIND = /\s*(?:[([<>≤≥=:].*\d.*)$/;
const SEPARATOR = /\s*(?:[/,;()[\]]|\s(?:or|to)\s|[-–—])\s*/i;

/** Splits a text into folded phrases: `Neg/Trace`, `Clear-Slightly Hazy`, `Negative or Trace`. */
export const splitPhrases = (text: string): string[] =>
  text
    .replace(NUMBERS_BEHIND, "")
    .replaceAll(/\bnon\s*[-–—]\s*/gi, "non ")
    .split(SEPARATOR)
    .map(foldPhrase)
    .filter((phrase) => phrase !== "");
