import { interpretRow } from "./interpret-row.ts";
import { flagMeaning } from "./read-flag.ts";
import { isQualitativeResult } from "./read-value.ts";
import { isUnit } from "./report-units.ts";
import type { PrintedRow, ReadingContext } from "./row-parts.ts";

/** A plausibility score of rows: each part that is understood raises it, each contradiction lowers it. */
export const plausibility = (rows: readonly PrintedRow[], context: ReadingContext): number =>
  rows.reduce((sum, row) => sum + rowPlausibility(row, context), 0);

function rowPlausibility(row: PrintedRow, { isKnown }: ReadingContext): number {
  const { name, value, units, range, flag, unreadTexts, hasUnreadRange } = row;
  const isNumber = value.kind !== "words";
  const { min, max } = range;
  const isBare = units === null && min === null && max === null && flag === null;
  let score = isKnown(name) ? 2 : isBare ? -1 : 0.5;
  score += isNumber || isQualitativeResult(value.value) ? 1 : -2;
  if (units !== null) score += isUnit(units) ? 1 : -1;
  if (min !== null || max !== null) score += min !== null && max !== null && min > max ? -1 : 1;
  if (isNumber && range.expected !== null) score -= 1;
  if (!isNumber && range.expected !== null) score += 1;
  if (hasUnreadRange) score -= 1;
  if (flag !== null && value.number !== null && (min !== null || max !== null)) {
    const { interpretation } = interpretRow({ ...row, flag: null });
    if (interpretation !== null) score += (interpretation === "abnormal") === (flagMeaning(flag) !== "normal") ? 1 : -1;
  }
  return score - Math.min(1.5, unreadTexts.length * 0.75);
}
