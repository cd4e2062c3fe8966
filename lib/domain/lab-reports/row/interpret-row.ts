import { compareQualitative, isAbsence, readFinding } from "../../results/compare-qualitative.ts";
import { compareWithRange, interpretPosition, type RangePosition } from "../../results/compare-with-range.ts";
import type { ReportResult } from "../wire-parsing-job.ts";
import { flagMeaning } from "./read-flag.ts";
import type { PrintedRange } from "./read-range.ts";
import type { PrintedRow } from "./row-parts.ts";

type RowInterpretation = Pick<ReportResult, "interpretation" | "is_above_max_range" | "is_below_min_range">;

/**
 * Interprets a row. A printed flag decides: H, L, A, `*` and their words are abnormal; HH, LL, C, critical and panic
 * are critical. Without a flag, a number is normal inside its printed range and abnormal outside; a bound is inside
 * unless `<` or `>` excludes it. A value with a comparator counts if all numbers that it may be are inside or outside,
 * and a span by its ends. A qualitative result is compared with the expected one by its meaning. The interpretation is
 * null if that is undecided, and without flag and range. Above and below are set only for numbers with a printed bound.
 */
export function interpretRow(row: PrintedRow): RowInterpretation {
  const { value, flag, range } = row;
  const position = positionOf(row);
  const isNumeric = value.kind === "number" || value.kind === "span";
  const flagged = flag === null ? undefined : flagMeaning(flag);
  return {
    interpretation: flagged ?? (isNumeric ? interpretPosition(position, range) : byWords(value.value, range)),
    is_above_max_range: position.isAbove,
    is_below_min_range: position.isBelow,
  };
}

/** The position of a number or a span in its printed range. */
export function positionOf({ value, range }: Pick<PrintedRow, "value" | "range">): RangePosition {
  const { kind, number, comparator } = value;
  if (kind === "number" && number !== null) return compareWithRange({ number, comparator }, range);
  if (kind !== "span") return { isAbove: null, isBelow: null };
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
