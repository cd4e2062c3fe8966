import { type Interpretation, worstInterpretation } from "./interpretation.ts";
import type { Observation } from "./lab-report.ts";
import { findRangeFor, parseReferenceRanges, type TestedPerson } from "./reference-range.ts";
import { compareQualitative } from "./values/compare-qualitative.ts";
import { compareWithRange, interpretPosition } from "./values/compare-with-range.ts";

/** Interpretation of a value against its reference range. */
export interface ObservationReading {
  readonly interpretation: Interpretation;
  readonly min: number | null;
  readonly max: number | null;
  readonly isAbove: boolean | null;
  readonly isBelow: boolean | null;
  /** Value as a number; null for text or a value with a comparison sign. */
  readonly number: number | null;
}

/** Abnormal flags of HL7 table 0078 that determine an interpretation; other flags do not. The worst one counts. */
const flags: Readonly<Record<string, Interpretation>> = {
  N: "normal",
  NEG: "normal",
  L: "abnormal",
  H: "abnormal",
  A: "abnormal",
  POS: "abnormal",
  "<": "abnormal",
  ">": "abnormal",
  LU: "abnormal",
  HU: "abnormal",
  LX: "abnormal",
  HX: "abnormal",
  ND: "normal",
  DET: "abnormal",
  NR: "normal",
  RR: "abnormal",
  WR: "abnormal",
  LL: "critical",
  HH: "critical",
  AA: "critical",
};

const VALUE = /^(<=|>=|<|>)?\s*(-?\d+(?:\.\d+)?)$/;

/**
 * Interprets a value by the laboratory's flag or, without a flag, by the reference range that applies to the person. A
 * value with a comparison sign, such as `<5`, counts if all values that it may be are inside, or all outside. Words are compared
 * with the expected words by their meaning.
 */
export function interpretObservation(
  { value, reference_range, flag, status }: Observation,
  person: TestedPerson,
): ObservationReading {
  const range = findRangeFor(parseReferenceRanges(reference_range), person);
  const [, sign = "", digits] = VALUE.exec(value.trim()) ?? [];
  const number = digits === undefined ? null : Number(digits);
  const bounds = { min: range?.min ?? null, max: range?.max ?? null };
  const flagged = status === "cancelled" || status === "withdrawn" ? "unknown" : interpretFlags(flag);
  if (number === null || !range || range.words !== null) {
    const byWords = (range?.words && compareQualitative(value, range.words)) || "unknown";
    return {
      ...bounds,
      interpretation: flagged ?? byWords,
      isAbove: null,
      isBelow: null,
      number: exactValue(sign, number),
    };
  }
  const position = compareWithRange({ number, comparator: sign === "" ? null : sign }, range);
  const interpretation = flagged ?? interpretPosition(position, range) ?? "unknown";
  return {
    ...bounds,
    interpretation,
    isAbove: range.max === null ? false : position.isAbove,
    isBelow: range.min === null ? false : position.isBelow,
    number: exactValue(sign, number),
  };
}

function interpretFlags(written: string): Interpretation | undefined {
  const known = written.split("~").flatMap((flag) => flags[flag.trim().toUpperCase()] ?? []);
  return known.length === 0 ? undefined : worstInterpretation(known);
}

const exactValue = (sign: string, number: number | null) => (sign === "" ? number : null);
