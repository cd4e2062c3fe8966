import type { Interpretation } from "./interpretation.ts";
import type { Observation } from "./lab-report.ts";
import { type Person, rangeFor, readRanges } from "./reference-range.ts";

/** What a value is, seen against its range. */
export interface Reading {
  readonly interpretation: Interpretation;
  readonly min: number | null;
  readonly max: number | null;
  readonly isAbove: boolean | null;
  readonly isBelow: boolean | null;
  /** The value as a number, or null. */
  readonly number: number | null;
}

/** The flags of HL7 table 0078 that say how far off a value is; others say nothing of that. */
const flags: Readonly<Record<string, Interpretation>> = {
  N: "normal",
  NEG: "normal",
  L: "abnormal",
  H: "abnormal",
  A: "abnormal",
  POS: "abnormal",
  "<": "abnormal",
  ">": "abnormal",
  LL: "critical",
  HH: "critical",
  AA: "critical",
};

const VALUE = /^(<=|>=|<|>)?\s*(-?\d+(?:\.\d+)?)$/;

/**
 * Reads a value: the laboratory's flag says how to, where there is one; else the range that holds for the person does. A
 * value that is only known to be below or above something is outside a range if all that it may be is.
 */
export function interpret({ value, reference_range, flag, status }: Observation, person: Person): Reading {
  const range = rangeFor(readRanges(reference_range), person);
  const [, sign = "", digits] = VALUE.exec(value.trim()) ?? [];
  const number = digits === undefined ? null : Number(digits);
  const bounds = { min: range?.min ?? null, max: range?.max ?? null };
  const flagged = status === "cancelled" ? "unknown" : flags[flag.trim().toUpperCase()];
  if (number === null || !range || range.words !== null) {
    const byWords = range?.words ? (value.trim().toLowerCase() === range.words ? "normal" : "abnormal") : "unknown";
    return {
      ...bounds,
      interpretation: flagged ?? byWords,
      isAbove: null,
      isBelow: null,
      number: exactly(sign, number),
    };
  }
  const isBelow = range.min !== null && !sign.startsWith(">") && isUnder(number, range.min, range.excludesMin, sign);
  const isAbove = range.max !== null && !sign.startsWith("<") && isUnder(-number, -range.max, range.excludesMax, sign);
  const byRange = isBelow || isAbove ? "abnormal" : "normal";
  return { ...bounds, interpretation: flagged ?? byRange, isAbove, isBelow, number: exactly(sign, number) };
}

/** Whether all that a value may be lies under a bound; a bound that is excluded is itself outside. */
function isUnder(number: number, bound: number, isExcluded: boolean, sign: string): boolean {
  const isStrict = sign === "<" || sign === ">";
  return number < bound || (number === bound && (isExcluded || isStrict));
}

const exactly = (sign: string, number: number | null) => (sign === "" ? number : null);
