import type { RangeBounds } from "./values/compare-with-range.ts";

/** Reference range, with the persons to whom it applies. */
export interface ReferenceRange extends RangeBounds {
  readonly sex: "female" | "male" | null;
  /** Years of age, both included; null for no bound. */
  readonly fromAge: number | null;
  readonly toAge: number | null;
  /** Expected text in lower case, such as `not detected`. */
  readonly words: string | null;
}

/** Person whose sample was tested. */
export interface TestedPerson {
  readonly sex: string | null;
  /** Whole years. */
  readonly age: number | null;
}

const NUMBER = String.raw`-?\d+(?:\.\d+)?`;
const BETWEEN = new RegExp(`^(${NUMBER})\\s*(?:-|–|to)\\s*(${NUMBER})(?![\\d.])`, "i");
const BOUND = new RegExp(`^(<=|>=|<|>|≤|≥)\\s*(${NUMBER})(?![\\d.])`);
const FOR_SEX = /^(males?|m|men|females?|f|women)\b[\s:,]*/i;
const FOR_AGES = /^(\d{1,3})\s*-\s*(\d{1,3})\s*(?:y|yr|yrs|years)\b[\s:,]*/i;
const FOR_AGE_BOUND = /^(>=|>|≥|<|<=|≤)\s*(\d{1,3})\s*(?:y|yr|yrs|years)\b[\s:,]*/i;

/**
 * Parses printed reference ranges: `70-99`, `<0.35`, `>=60 mL/min`, `Not detected`. Ranges for different persons are
 * separated by semicolons: `M: 13.5-17.5; F: 12.0-15.5`, `F 18-49 y: 10-120; >=50 y: 10-200`.
 */
export function parseReferenceRanges(text: string | null): ReferenceRange[] {
  return (text ?? "").split(";").flatMap((part) => parseRange(part.trim()) ?? []);
}

function parseRange(text: string): ReferenceRange | undefined {
  const [sexText, sex] = consumePrefix(text, FOR_SEX, ([, word = ""]) => (/^[mM]/.test(word) ? "male" : "female"));
  const [agesText, ages] = consumePrefix(sexText, FOR_AGES, ([, from, to]) => ({ from: Number(from), to: Number(to) }));
  const [rest, bound] = consumePrefix(agesText, FOR_AGE_BOUND, ([, sign = "", years]) => ageBound(sign, Number(years)));
  if (rest === "") return undefined;
  const { from, to } = ages ?? bound ?? { from: null, to: null };
  return { sex: sex ?? null, fromAge: from, toAge: to, ...valuesOf(rest) };
}

function consumePrefix<Value>(
  text: string,
  pattern: RegExp,
  read: (match: RegExpExecArray) => Value,
): [string, Value?] {
  const match = pattern.exec(text);
  return match ? [text.slice(match[0].length), read(match)] : [text];
}

function ageBound(sign: string, years: number): { from: number | null; to: number | null } {
  if (sign.startsWith("<") || sign === "≤") return { from: null, to: sign === "<" ? years - 1 : years };
  return { from: sign === ">" ? years + 1 : years, to: null };
}

type Values = Omit<ReferenceRange, "sex" | "fromAge" | "toAge">;
const unbounded = { min: null, max: null, excludesMin: false, excludesMax: false, words: null } satisfies Values;

function valuesOf(text: string): Values {
  const between = BETWEEN.exec(text);
  if (between) return { ...unbounded, min: Number(between[1]), max: Number(between[2]) };
  const [, sign = "", bound] = BOUND.exec(text) ?? [];
  if (bound === undefined) return { ...unbounded, words: text.toLowerCase() };
  const excludes = sign === "<" || sign === ">";
  return sign.startsWith("<") || sign === "≤"
    ? { ...unbounded, max: Number(bound), excludesMax: excludes }
    : { ...unbounded, min: Number(bound), excludesMin: excludes };
}

/** Finds the most specific range that applies to a person. */
export function findRangeFor(
  ranges: readonly ReferenceRange[],
  { sex, age }: TestedPerson,
): ReferenceRange | undefined {
  const holds = (range: ReferenceRange) =>
    (range.sex === null || range.sex === sex) &&
    (range.fromAge === null || (age !== null && age >= range.fromAge)) &&
    (range.toAge === null || (age !== null && age <= range.toAge));
  const says = (range: ReferenceRange) =>
    Number(range.sex !== null) + Number(range.fromAge !== null || range.toAge !== null);
  return ranges.filter(holds).toSorted((a, b) => says(b) - says(a))[0];
}
