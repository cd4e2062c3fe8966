import { compareQualitative, isAbsence, readFinding } from "../../results/values/compare-qualitative.ts";
import { compareWithRange, interpretPosition, type RangePosition } from "../../results/values/compare-with-range.ts";
import type { ReportResult } from "../wire-parsing-job.ts";
import { flagMeaning } from "./read-flag.ts";
import type { PrintedRange } from "./read-range.ts";
import { readTiter } from "./read-value.ts";
import type { PrintedRow } from "./row-parts.ts";

type RowInterpretation = Pick<ReportResult, "interpretation" | "is_above_max_range" | "is_below_min_range">;

/**
 * Interprets a row. A printed flag decides: H, L, A, `*` and their words are abnormal; HH, LL, C, critical and panic
 * are critical. Without a flag, a number is normal inside its printed range and abnormal outside; a bound is inside
 * unless `<` or `>` excludes it. A value with a comparator counts if all numbers that it may be are inside or outside,
 * and a span by its ends. A qualitative result is compared with the expected one by its meaning. The interpretation is
 * null if that is undecided, and without flag and range. Titers are compared by their denominators. Above and below are
 * set only for numbers with a printed bound.
 */
export function interpretRow(row: PrintedRow): RowInterpretation {
  const { value, flag, range } = row;
  const position = positionOf(row);
  const byRange = position ? interpretPosition(position, range) : byWords(value.value, range);
  const flagged = flag === null ? undefined : flagMeaning(flag);
  return {
    interpretation: flagged ?? byRange,
    is_above_max_range: range.isTiter ? null : (position?.isAbove ?? null),
    is_below_min_range: range.isTiter ? null : (position?.isBelow ?? null),
  };
}

/** The position of a number, a span or a titer in a range of its kind; null for other values and ranges. */
export function positionOf({ value, range }: Pick<PrintedRow, "value" | "range">): RangePosition | null {
  const { kind, number, comparator } = value;
  const titer = readTiter(value.value);
  if ((titer !== null) !== range.isTiter) return null;
  if (titer) return compareWithRange(titer, range);
  if (kind === "number" && number !== null) return compareWithRange({ number, comparator }, range);
  if (kind !== "span") return null;
  const [low = 0, high = 0] = value.value.split("-").map((end) => Number(end));
  return {
    isAbove: compareWithRange({ number: high, comparator: null }, range).isAbove,
    isBelow: compareWithRange({ number: low, comparator: null }, range).isBelow,
  };
}

/** A bound alone says whether absence is normal: `None seen` in `0-5`, `Not detected` in `<20`. */
function byWords(value: string, { min, max, expected }: PrintedRange): "normal" | "abnormal" | null {
  if (expected !== null) return compareQualitative(value, expected);
  if (min === null && max === null) return null;
  return readFinding(value) ?? (max !== null && max >= 0 && (min ?? 0) <= 0 && isAbsence(value) ? "normal" : null);
}
