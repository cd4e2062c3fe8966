import { interpretPosition } from "../../results/values/compare-with-range.ts";
import type { LoincCandidate } from "../names/find-loinc.ts";
import { interpretRow, positionOf } from "./interpret-row.ts";
import { flagMeaning } from "./read-flag.ts";
import type { PrintedRange } from "./read-range.ts";
import { isQualitativeResult } from "./read-value.ts";
import { dimensionOf } from "./report-units.ts";
import type { PrintedRow } from "./row-parts.ts";

/** The reason for which a person must review a row. */
export type DoubtReason =
  | "hard_to_read"
  | "repaired"
  | "implausible_value"
  | "inverted_range"
  | "unit_disagrees"
  | "decimals_differ"
  | "duplicate"
  | "flag_disagrees"
  | "not_comparable"
  | "incomplete"
  | "unsure_test"
  | "left_over";

/** A review reason of a row, by its index among the results. */
export interface RowDoubt {
  readonly row: number;
  readonly reason: DoubtReason;
}

/** Minimum OCR confidence of a word that needs no review, 0 to 100. */
const MIN_CONFIDENCE = 85;
/** Factor beyond typical values at which a value is implausible. */
const IMPLAUSIBLE_FACTOR = 10;

/** Finds the review reasons of a single row. @param isRead whether OCR recognised the row. */
export function findRowDoubts(row: PrintedRow, best: LoincCandidate | undefined, isRead: boolean): DoubtReason[] {
  const reasons: DoubtReason[] = [];
  if (row.words.some(({ confidence }) => confidence < MIN_CONFIDENCE)) reasons.push("hard_to_read");
  if (row.isRepaired) reasons.push("repaired");
  if (row.range.min !== null && row.range.max !== null && row.range.min > row.range.max) reasons.push("inverted_range");
  if (isImplausible(row, best)) reasons.push("implausible_value");
  if (unitDisagrees(row, best)) reasons.push("unit_disagrees");
  if (isRead && (hasLostPoint(row) || !row.range.hasEqualDecimals)) reasons.push("decimals_differ");
  if (flagDisagrees(row) || (isRead && lacksFlag(row))) reasons.push("flag_disagrees");
  if (isNotComparable(row)) reasons.push("not_comparable");
  if (
    lacksInterpretationBasis(row) ||
    lacksUnit(row, best) ||
    hasUnexpectedUnit(row, best) ||
    isMalformed(row) ||
    (isRead && isIncomplete(row))
  )
    reasons.push("incomplete");
  if (best?.isExact === false) reasons.push("unsure_test");
  if (row.unreadTexts.length > 0) reasons.push("left_over");
  return reasons;
}

/** Compares with ten times the printed range, else with typical values in the catalogue's unit. */
function isImplausible({ value, range, units }: PrintedRow, best: LoincCandidate | undefined): boolean {
  const { number } = value;
  if (number === null) return false;
  if (number < 0 && (range.min ?? 0) >= 0) return true;
  if (range.max !== null && range.max > 0 && number > range.max * IMPLAUSIBLE_FACTOR) return true;
  if (range.min !== null && range.min > 0 && number < range.min / IMPLAUSIBLE_FACTOR && value.comparator === null)
    return true;
  const usual = best?.known.usual;
  if (!usual || range.max !== null || !isUnitOf(best, units)) return false;
  return (
    number > usual[1] * IMPLAUSIBLE_FACTOR || (value.comparator === null && number < usual[0] / IMPLAUSIBLE_FACTOR)
  );
}

const isUnitOf = (best: LoincCandidate, units: string | null) =>
  units !== null && units.toLowerCase().replaceAll(/\s/g, "") === best.known.result.unit?.toLowerCase();

function unitDisagrees({ units, range }: PrintedRow, best: LoincCandidate | undefined): boolean {
  const own = units === null ? null : dimensionOf(units);
  if (range.units !== null && units !== null && dimensionOf(range.units) !== own) return true;
  const expected = best?.known.dimension;
  return own !== null && expected !== null && expected !== undefined && !isSameKind(own, expected);
}

const isSameKind = (one: string, other: string) => one === other || (one.endsWith("ratio") && other.endsWith("ratio"));

/** A number without decimals far outside a range with decimals indicates a lost decimal point, and vice versa. */
function hasLostPoint({ value, range }: PrintedRow): boolean {
  if (value.number === null || range.decimals === null) return false;
  const decimals = value.value.split(".")[1]?.length ?? 0;
  const max = range.max ?? range.min ?? 0;
  if (decimals === 0 && range.decimals > 0) return value.number > max;
  return decimals > 0 && range.decimals === 0 && (range.min ?? max) > value.number;
}

/** A value outside its range without a flag: OCR probably misread one of the two. */
const lacksFlag = (row: PrintedRow) => row.flag === null && interpretRow(row).interpretation === "abnormal";

/** An unread range, or an interpretation without flag and range. */
function lacksInterpretationBasis(row: PrintedRow): boolean {
  const { min, max, expected } = row.range;
  const isBare = row.flag === null && min === null && max === null && expected === null;
  return row.hasUnreadRange || (isBare && interpretRow(row).interpretation !== null);
}

/** Words in place of a result, which no range applies to. */
const NO_RESULT =
  /^(?:tnp|qns|pending|see\b|not (?:performed|calculated|applicable|reported)|comment|invalid|unable|hemolyzed)/i;

/** A result without a flag and with a range that does not decide its interpretation. */
function isNotComparable(row: PrintedRow): boolean {
  const hasRange = isBounded(row.range) || (row.range.expected !== null && !isNumeric(row.value));
  if (row.flag !== null || !hasRange) return false;
  return !NO_RESULT.test(row.value.value) && interpretRow(row).interpretation === null;
}

const isNumeric = ({ kind }: PrintedRow["value"]) => kind === "number" || kind === "span";

/** A value without a unit although the test has one. */
function lacksUnit({ value, units }: PrintedRow, best: LoincCandidate | undefined): boolean {
  const dimension = best?.known.dimension ?? null;
  return isNumeric(value) && units === null && dimension !== null && dimension !== "ratio";
}

/** A unit beside a qualitative result although the test has none. */
const hasUnexpectedUnit = ({ value, units }: PrintedRow, best: LoincCandidate | undefined) =>
  value.kind === "words" && units !== null && best?.known.dimension === null;

/** A truncated name, a range as a result, words as a unit or as a numeric range, or an unknown qualitative result. */
function isMalformed({ name, value, units, range }: PrintedRow): boolean {
  if (/[,/&(-]$/.test(name)) return true;
  if (value.kind === "span" && units !== null && !dimensionOf(units)?.endsWith("field")) return true;
  if (isNumeric(value)) return range.expected !== null || (units !== null && dimensionOf(units) === null);
  return value.kind === "words" && (!isQualitativeResult(value.value) || isTwoResults(value.value));
}

/** Qualifiers that precede another qualitative result: `Dark yellow`, `None seen`. */
const QUALIFIER =
  /^(?:dark|light|pale|slight|sl|weak|strong|none|not?|non|few|rare|many|moderate|occasional|see|trace|pending|small|large|presumptive|(?:a|b|ab|o|rh)\b)/i;

/** Reports whether a text combines two results, such as the value of an adjacent column. */
function isTwoResults(text: string): boolean {
  const words = text.split(" ");
  const half = words.length / 2;
  if (words.slice(0, half).join(" ") === words.slice(half).join(" ")) return true;
  return words.some((_, place) => {
    const [one, other] = [words.slice(0, place).join(" "), words.slice(place).join(" ")];
    return place > 0 && isQualitativeResult(one) && isQualitativeResult(other) && !(place === 1 && QUALIFIER.test(one));
  });
}

/** A number without a range, or an unbalanced bracket. */
function isIncomplete({ name, value, range }: PrintedRow): boolean {
  const lacksRange = isNumeric(value) && range.min === null && range.max === null;
  const lacksBracket = (name.match(/\(/g)?.length ?? 0) !== (name.match(/\)/g)?.length ?? 0);
  return lacksRange || lacksBracket;
}

/** `H` without a value above the range, `L` without one below it, or `Normal` with a value outside. */
function flagDisagrees(row: PrintedRow): boolean {
  const { value, flag, range } = row;
  if (flag === null || value.number === null) return false;
  const { isAbove, isBelow } = positionOf(row) ?? { isAbove: null, isBelow: null };
  if (flagMeaning(flag) === "normal") return isAbove === true || isBelow === true;
  // Some laboratories flag the bound itself.
  const isBound = (bound: number | null) => value.comparator === null && value.number === bound;
  if (/^\W*(?:h|↑|▲)|high/i.test(flag) && range.max !== null) return isAbove === false && !isBound(range.max);
  if (/^\W*(?:l|↓|▼)|low/i.test(flag) && range.min !== null) return isBelow === false && !isBound(range.min);
  return interpretPosition({ isAbove, isBelow }, range) === "normal";
}

const isBounded = ({ min, max }: PrintedRange) => min !== null || max !== null;
