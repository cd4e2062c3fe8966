/** Words that say of which sample a test is, by the sample. */
const samples: Readonly<Record<string, Sample>> = {
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

/** Of what a test is made, as far as texts tell. */
export type Sample = "blood" | "urine" | "stool" | "saliva" | "other";

/** Different words and signs for one thing. */
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

/** The words of a name in lower case, without accents and signs, spelled the American way. */
export function nameWords(name: string): string[] {
  const plain = name
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .toLowerCase()
    .replaceAll(/(?<=\w)\s*:\s*(?=\w)/g, "/")
    .replaceAll("α", "alpha")
    .replaceAll("β", "beta")
    .replaceAll("γ", "gamma")
    .replaceAll(/(?<=\w)'s\b/g, "")
    .replaceAll(/haem|oest|foet|leuco|faec|colour|sulph/g, (british) => american[british] ?? british);
  return (plain.match(/[\p{L}\p{N}]+|[%#/]/gu) ?? []).map((word) => synonyms[word] ?? word);
}

const american: Readonly<Record<string, string>> = {
  haem: "hem",
  oest: "est",
  foet: "fet",
  leuco: "leuko",
  faec: "fec",
  colour: "color",
  sulph: "sulf",
};

/** What a name says apart from the sample: equal for names that have the same words in any order. */
export function nameKey(words: readonly string[]): string {
  const own = words.filter((word) => samples[word] === undefined);
  return [...new Set(own.length > 0 ? own : words)].toSorted().join(" ");
}

/** The letters and digits of a name in their order, so that `NT-proBNP` and `NT pro BNP` are one. */
export function compactKey(words: readonly string[]): string {
  const own = words.filter((word) => samples[word] === undefined);
  return (own.length > 0 ? own : words).join("");
}

/** The sample that the words name, if any; the least usual counts. Blood alone may be what is looked for: `Occult blood`. */
export function sampleIn(words: readonly string[]): Sample | null {
  const named = words.flatMap((word) => (word === "blood" ? [] : (samples[word] ?? [])));
  return named.find((sample) => sample !== "blood") ?? named[0] ?? null;
}

/** Whether words name a sample and nothing else, as headings do: `SERUM`. */
export const isSampleAlone = (name: string): boolean =>
  /^\p{L}/u.test(name) && nameWords(name).every((word) => samples[word] !== undefined);

/** Letters and digits that look alike in a scan as one of them. */
export const foldLookalikes = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[l1|!i]/g, "i")
    .replaceAll(/[o0]/g, "o")
    .replaceAll("5", "s")
    .replaceAll("rn", "m");

/** The groups of three of a text with its ends marked. */
export function trigramsOf(text: string): ReadonlySet<string> {
  const marked = `  ${text} `;
  return new Set(Array.from({ length: marked.length - 2 }, (_, place) => marked.slice(place, place + 3)));
}

/** How alike two sets of trigrams are: 0 to 1 (Dice). */
export function likeness(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  let shared = 0;
  for (const trigram of one) if (other.has(trigram)) shared++;
  return (2 * shared) / (one.size + other.size);
}

/** A name without regard to case, signs and spaces. */
export const foldName = (name: string): string => nameWords(name).join(" ");
