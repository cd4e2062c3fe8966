import type { Analyte, PrintedUnit } from "../analytes/analytes.ts";
import type { Layout } from "../layouts/layout.ts";
import type { SeededRandom } from "./seeded-random.ts";

export type MeasurementOutcome = "normal" | "high" | "low" | "unusual" | "critically-high" | "critically-low";

/** A result before printing; numbers are in the printed unit. */
export interface Measurement {
  readonly value: string;
  readonly previous: string;
  readonly outcome: MeasurementOutcome;
  readonly min: number | null;
  readonly max: number | null;
  /** Whether a one-sided bound is exclusive. */
  readonly isStrict: boolean;
  /** The expected text; null for numbers and without an expectation. */
  readonly expected: string | null;
  readonly unit: PrintedUnit;
  /** Null for texts. */
  readonly number: number | null;
}

interface Interval {
  readonly min: number | null;
  readonly max: number | null;
  readonly isStrict: boolean;
}

const ABNORMAL_RATE = 0.15;
const CRITICAL_RATE = 0.1;

/** Formats a number as the laboratory prints it. */
export function formatNumber(value: number, decimals: number, layout: Layout): string {
  return layout.hasThousands && decimals === 0 ? value.toLocaleString("en-US") : value.toFixed(decimals);
}

function converted({ min, max, isStrict }: Interval, { factor, decimals }: PrintedUnit): Interval {
  const scaled = (bound: number | null) => (bound === null ? null : Number((bound * factor).toFixed(decimals)));
  return { min: scaled(min), max: scaled(max), isStrict };
}

/** Some laboratories print one-sided inclusive intervals differently. */
function asPrinted(interval: Interval, { decimals }: PrintedUnit, { oneSided, columns }: Layout): Interval {
  const step = 10 ** -decimals;
  const { min, max } = interval;
  const round = (bound: number) => Number(bound.toFixed(decimals));
  if (min !== null && max !== null) return interval;
  if (interval.isStrict)
    return oneSided === "or-equal" && min !== null && decimals === 0
      ? { min: min + 1, max, isStrict: false }
      : interval;
  if (oneSided === "zero" || columns.some(({ field }) => field === "high")) return { ...interval, min: 0 };
  if (oneSided === "equal" || oneSided === "or-equal" || max === null) return interval;
  return { min, max: round(max + step), isStrict: true };
}

function outcomeOf({ min, max }: Interval, random: SeededRandom): MeasurementOutcome {
  if (!random.boolean(ABNORMAL_RATE)) return "normal";
  const isCritical = random.boolean(CRITICAL_RATE);
  const isHigh = max !== null && (min === null || min <= 0 || random.boolean(0.6));
  if (isHigh) return isCritical ? "critically-high" : "high";
  return isCritical ? "critically-low" : "low";
}

/** A number with the given outcome. */
function drawn({ min, max }: Interval, outcome: MeasurementOutcome, step: number, random: SeededRandom): number {
  const low = min ?? 0;
  const high = max ?? low * 1.9;
  const span = high - low;
  switch (outcome) {
    case "high":
      return Math.max(high + span * random.between(0.03, 0.55), high + 2 * step);
    case "critically-high":
      return high + Math.max(span * random.between(1, 1.7), 3 * step);
    case "low":
      return Math.max(Math.min(low - span * random.between(0.03, 0.4), low - 2 * step), low * 0.45);
    case "critically-low":
      return Math.max(low - span * random.between(0.6, 0.9), low * 0.4);
    default:
      return random.between(low + span * 0.1, high - span * 0.12);
  }
}

function texts(analyte: Analyte, layout: Layout, random: SeededRandom): Measurement {
  const { reference } = analyte;
  if (reference.kind === "interval") throw new Error("the analyte has no text values");
  const unit = analyte.units[layout.units] as PrintedUnit;
  const isUnusual = reference.expected === null || random.boolean(ABNORMAL_RATE);
  const cased = (text: string) => (layout.nameCase === "upper" ? text.toUpperCase() : text);
  const value = cased(isUnusual ? random.pick(reference.unusual) : (reference.expected ?? ""));
  const expected = reference.expected === null ? null : cased(reference.expected);
  const bounds = reference.kind === "count" ? reference.expected.split("-").map(Number) : [];
  const outcome = reference.expected === null || !isUnusual ? "normal" : bounds.length ? "high" : "unusual";
  return {
    value,
    previous: expected ?? value,
    outcome,
    min: bounds[0] ?? null,
    max: bounds[1] ?? null,
    isStrict: false,
    expected,
    unit,
    number: null,
  };
}

/** Analytes whose results are often below the assay's detection limit. */
const oftenTiny = new Set(
  "crp tpo ccp dsdna ttg-iga u-albumin calprotectin troponin psa tg-ab crp-hs bnp d-dimer".split(" "),
);

/** Results beyond the measurable range, with the number for comparison with the range; null for others. */
function beyondAssay(
  analyte: Analyte,
  outcome: MeasurementOutcome,
  { max }: Interval,
  random: SeededRandom,
): readonly [string, number] | null {
  const { key, reference } = analyte;
  if (key === "egfr" && outcome === "normal" && random.boolean(0.15)) return [">90", 91];
  if (key === "tsh" && outcome === "low" && random.boolean(0.5)) return ["<0.005", 0.004];
  if (outcome !== "normal" || max === null || reference.kind !== "interval" || !random.boolean(0.5)) return null;
  if (!reference.isStrict && !oftenTiny.has(key)) return null;
  const { decimals } = analyte.units[0] as PrintedUnit;
  const limit = max <= 1 && reference.isStrict ? max : Number((max * 0.1).toFixed(decimals));
  return limit > 0 ? [`<${limit.toFixed(decimals)}`, limit / 2] : null;
}

/** Draws the measurement of an analyte and its reference values, in the laboratory's units. */
export function drawMeasurement(analyte: Analyte, layout: Layout, random: SeededRandom): Measurement {
  const { reference } = analyte;
  if (reference.kind !== "interval") return texts(analyte, layout, random);
  const unit = analyte.units[layout.units] as PrintedUnit;
  const step = 10 ** -unit.decimals;
  const interval = asPrinted(converted(reference, unit), unit, layout);
  const { min, max, isStrict } = interval;
  const outcome = outcomeOf(interval, random);
  const rounded = Number(drawn(interval, outcome, step, random).toFixed(unit.decimals));
  const isOnBound = outcome === "normal" && isStrict && max !== null && rounded >= max;
  const number = isOnBound ? Number((max - step).toFixed(unit.decimals)) : rounded;
  const previous = formatNumber(drawn(interval, "normal", step, random), unit.decimals, layout);
  const [value, counted] = beyondAssay(analyte, outcome, interval, random) ?? [
    formatNumber(number, unit.decimals, layout),
    number,
  ];
  return { value, previous, outcome, min, max, isStrict, expected: null, unit, number: counted };
}
