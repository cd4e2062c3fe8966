/** Words that name a sample type. */
const sampleTypesByWord: Readonly<Record<string, SampleType>> = {
  serum: "blood",
  plasma: "blood",
  blood: "blood",
  ser: "blood",
  plas: "blood",
  urine: "urine",
  ur: "urine",
  urinary: "urine",
  ua: "urine",
  stool: "stool",
  fecal: "stool",
  feces: "stool",
  csf: "other",
  saliva: "saliva",
  salivary: "saliva",
};

/** The sample type of a test, as far as its name states it. */
export type SampleType = "blood" | "urine" | "stool" | "saliva" | "other";

/** Synonyms and abbreviations, by the word they stand for. */
const synonyms: Readonly<Record<string, string>> = {
  percent: "%",
  pct: "%",
  antibodies: "ab",
  antibody: "ab",
  abs: "abs",
  absolute: "abs",
  antigen: "ag",
  calculated: "calc",
  calculation: "calc",
  cal: "calc",
  est: "estimated",
  quantitative: "quant",
  qn: "quant",
  qualitative: "qual",
  ql: "qual",
  hgb: "hemoglobin",
  hb: "hemoglobin",
  hep: "hepatitis",
  vit: "vitamin",
  chol: "cholesterol",
  bili: "bilirubin",
  creat: "creatinine",
  lymphs: "lymphocytes",
  monos: "monocytes",
  basos: "basophils",
};

/** Tokenizes a name: lower case, without accents and punctuation, in American spelling. */
export function tokenizeName(name: string): string[] {
  const plain = name
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .toLowerCase()
    .replaceAll(/(?<=\w)\s*:\s*(?=\w)/g, "/")
    .replaceAll("α", "alpha")
    .replaceAll("β", "beta")
    .replaceAll("γ", "gamma")
    .replaceAll(/(?<=\w)'s\b/g, "")
    .replaceAll(/haem|oest|foet|leuco|faec|colour|sulph/g, (british) => americanSpellings[british] ?? british);
  return (plain.match(/[\p{L}\p{N}]+|[%#/]/gu) ?? []).map((word) => synonyms[word] ?? word);
}

const americanSpellings: Readonly<Record<string, string>> = {
  haem: "hem",
  oest: "est",
  foet: "fet",
  leuco: "leuko",
  faec: "fec",
  colour: "color",
  sulph: "sulf",
};

/** A key of a name without its sample type. Names with the same words in any order have the same key. */
export function nameKey(words: readonly string[]): string {
  const own = words.filter((word) => sampleTypesByWord[word] === undefined);
  return [...new Set(own.length > 0 ? own : words)].toSorted().join(" ");
}

/** A key of a name's letters and digits in order: `NT-proBNP` and `NT pro BNP` have the same key. */
export function compactKey(words: readonly string[]): string {
  const own = words.filter((word) => sampleTypesByWord[word] === undefined);
  return (own.length > 0 ? own : words).join("");
}

/**
 * The sample type that the words name; any other type wins over blood. The word blood alone may be the analyte:
 * `Occult blood`.
 */
export function findSampleType(words: readonly string[]): SampleType | null {
  const named = words.flatMap((word) => (word === "blood" ? [] : (sampleTypesByWord[word] ?? [])));
  return named.find((sample) => sample !== "blood") ?? named[0] ?? null;
}

/** Reports whether a name consists of a sample type only, as a heading does: `SERUM`. */
export const isSampleTypeOnly = (name: string): boolean =>
  /^\p{L}/u.test(name) && tokenizeName(name).every((word) => sampleTypesByWord[word] !== undefined);

/** Folds characters that OCR confuses into one. */
export const foldConfusables = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[l1|!i]/g, "i")
    .replaceAll(/[o0]/g, "o")
    .replaceAll("5", "s")
    .replaceAll("rn", "m");

/** The trigrams of a text with its ends marked. */
export function toTrigrams(text: string): ReadonlySet<string> {
  const marked = `  ${text} `;
  return new Set(Array.from({ length: marked.length - 2 }, (_, place) => marked.slice(place, place + 3)));
}

/** The Dice similarity of two sets of trigrams: 0 to 1. */
export function diceSimilarity(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  let shared = 0;
  for (const trigram of one) if (other.has(trigram)) shared++;
  return (2 * shared) / (one.size + other.size);
}

/** A name without differences in case, punctuation and spaces. */
export const foldName = (name: string): string => tokenizeName(name).join(" ");
