import { compareQualitative, isAbsence, readFinding } from "../../results/compare-qualitative.ts";
import type { ReportResult } from "../wire-parsing-job.ts";
import { flagMeaning } from "./read-flag.ts";
import type { PrintedRange } from "./read-range.ts";
import type { PrintedRow } from "./row-parts.ts";

type RowInterpretation = Pick<ReportResult, "interpretation" | "is_above_max_range" | "is_below_min_range">;

/**
 * Interprets a row. A printed flag decides: H, L, A, `*` and their words are abnormal; HH, LL, C, critical and panic
 * are critical. Without a flag, a number is normal inside its printed range, bounds included, and abnormal outside. A
 * value with a comparator is compared by its bound, and a span by its ends. A qualitative result is compared with the
 * expected one by its meaning, and is null if that is impossible. Without flag and range the interpretation is null. Above and below are set only for numbers with a
 * printed bound.
 */
export function interpretRow({ value, flag, range }: PrintedRow): RowInterpretation {
  const [low, high] = value.kind === "span" ? value.value.split("-").map(Number) : [value.number, value.number];
  const isAbove = high === undefined || high === null || range.max === null ? null : high > range.max;
  const isBelow = low === undefined || low === null || range.min === null ? null : low < range.min;
  const flagged = flag === null ? undefined : flagMeaning(flag);
  return {
    interpretation: flagged ?? byRange(isAbove, isBelow) ?? (low == null ? byWords(value.value, range) : null),
    is_above_max_range: isAbove,
    is_below_min_range: isBelow,
  };
}

function byRange(isAbove: boolean | null, isBelow: boolean | null): "normal" | "abnormal" | null {
  if (isAbove === null && isBelow === null) return null;
  return isAbove || isBelow ? "abnormal" : "normal";
}

/** A bound alone says whether absence is normal: `None seen` in `0-5`, `Not detected` in `<20`. */
function byWords(value: string, { min, max, expected }: PrintedRange): "normal" | "abnormal" | null {
  if (expected !== null) return compareQualitative(value, expected);
  if (min === null && max === null) return null;
  return readFinding(value) ?? (max !== null && max >= 0 && (min ?? 0) <= 0 && isAbsence(value) ? "normal" : null);
}
