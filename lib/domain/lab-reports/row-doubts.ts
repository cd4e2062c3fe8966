import type { Candidate } from "./find-loinc.ts";
import { interpretRow } from "./interpret-row.ts";
import { flagMeaning } from "./read-flag.ts";
import type { PrintedRange } from "./read-range.ts";
import { isResultWords } from "./read-value.ts";
import { dimensionOf } from "./report-units.ts";
import type { PrintedRow } from "./row-parts.ts";

/** Why a row should be looked at by a person. */
export type DoubtReason =
  | "hard_to_read"
  | "repaired"
  | "implausible_value"
  | "inverted_range"
  | "unit_disagrees"
  | "decimals_differ"
  | "duplicate"
  | "flag_disagrees"
  | "incomplete"
  | "unsure_test"
  | "left_over";

/** A doubt about one row, by its place among the results. */
export interface RowDoubt {
  readonly row: number;
  readonly reason: DoubtReason;
}

/** The least confidence of a word that needs no person to look at it, 0 to 100. */
const LEAST_CONFIDENCE = 85;
/** By how many times a value may be beyond what is usual. */
const FACTOR = 10;

/** Why a row is doubtful, seen alone. @param isRead whether it was recognised in an image. */
export function doubtsOf(row: PrintedRow, best: Candidate | undefined, isRead: boolean): DoubtReason[] {
  const reasons: DoubtReason[] = [];
  if (row.words.some(({ confidence }) => confidence < LEAST_CONFIDENCE)) reasons.push("hard_to_read");
  if (row.isRepaired) reasons.push("repaired");
  if (row.range.min !== null && row.range.max !== null && row.range.min > row.range.max) reasons.push("inverted_range");
  if (isImplausible(row, best)) reasons.push("implausible_value");
  if (disagrees(row, best)) reasons.push("unit_disagrees");
  if (isRead && (losesPoint(row) || !row.range.isEven)) reasons.push("decimals_differ");
  if (flagDisagrees(row) || (isRead && lacksFlag(row))) reasons.push("flag_disagrees");
  if (
    isUnjudged(row) ||
    lacksUnit(row, best) ||
    hasStrangeUnit(row, best) ||
    isOdd(row) ||
    (isRead && isIncomplete(row))
  )
    reasons.push("incomplete");
  if (best?.isExact === false) reasons.push("unsure_test");
  if (row.leftOver.length > 0) reasons.push("left_over");
  return reasons;
}

/** Beyond ten times of the printed range, else of what is usual in the catalogue's unit. */
function isImplausible({ value, range, units }: PrintedRow, best: Candidate | undefined): boolean {
  const { number } = value;
  if (number === null) return false;
  if (number < 0 && (range.min ?? 0) >= 0) return true;
  if (range.max !== null && range.max > 0 && number > range.max * FACTOR) return true;
  if (range.min !== null && range.min > 0 && number < range.min / FACTOR && value.comparator === null) return true;
  const usual = best?.known.usual;
  if (!usual || range.max !== null || !isUnitOf(best, units)) return false;
  return number > usual[1] * FACTOR || (value.comparator === null && number < usual[0] / FACTOR);
}

const isUnitOf = (best: Candidate, units: string | null) =>
  units !== null && units.toLowerCase().replaceAll(/\s/g, "") === best.known.result.unit?.toLowerCase();

function disagrees({ units, range }: PrintedRow, best: Candidate | undefined): boolean {
  const own = units === null ? null : dimensionOf(units);
  if (range.units !== null && units !== null && dimensionOf(range.units) !== own) return true;
  const expected = best?.known.dimension;
  return own !== null && expected !== null && expected !== undefined && !isSameKind(own, expected);
}

const isSameKind = (one: string, other: string) => one === other || (one.endsWith("ratio") && other.endsWith("ratio"));

/** A number without decimals that is far outside a range with decimals has lost its point, or the range has. */
function losesPoint({ value, range }: PrintedRow): boolean {
  if (value.number === null || range.decimals === null) return false;
  const decimals = value.value.split(".")[1]?.length ?? 0;
  const max = range.max ?? range.min ?? 0;
  if (decimals === 0 && range.decimals > 0) return value.number > max;
  return decimals > 0 && range.decimals === 0 && (range.min ?? max) > value.number;
}

/** Outside its range without a flag: one of the two was probably read wrongly. */
const lacksFlag = (row: PrintedRow) => row.flag === null && interpretRow(row).interpretation === "abnormal";

/** A range that was seen and not read, or a judgement that rests on neither a flag nor a range. */
function isUnjudged(row: PrintedRow): boolean {
  const { min, max, expected } = row.range;
  const isBare = row.flag === null && min === null && max === null && expected === null;
  return row.isRangeUnread || (isBare && interpretRow(row).interpretation !== null);
}

const isNumeric = ({ kind }: PrintedRow["value"]) => kind === "number" || kind === "span";

/** No unit where the test has one. */
function lacksUnit({ value, units }: PrintedRow, best: Candidate | undefined): boolean {
  const dimension = best?.known.dimension ?? null;
  return isNumeric(value) && units === null && dimension !== null && dimension !== "ratio";
}

/** A unit beside words where the test has none. */
const hasStrangeUnit = ({ value, units }: PrintedRow, best: Candidate | undefined) =>
  value.kind === "words" && units !== null && best?.known.dimension === null;

/** A name that breaks off, a range in the place of a result, words in the place of a unit or of a range of numbers, or in the place of a result that no result is. */
function isOdd({ name, value, units, range }: PrintedRow): boolean {
  if (/[,/&(-]$/.test(name)) return true;
  if (value.kind === "span" && units !== null && !dimensionOf(units)?.endsWith("field")) return true;
  if (isNumeric(value)) return range.expected !== null || (units !== null && dimensionOf(units) === null);
  return value.kind === "words" && (!isResultWords(value.value) || isTwoResults(value.value));
}

/** Results in words that others may stand behind, as `Dark yellow` and `None seen`. */
const OF_MORE_WORDS =
  /^(?:dark|light|pale|slight|sl|weak|strong|none|not?|non|few|rare|many|moderate|occasional|see|trace|pending|small|large|presumptive|(?:a|b|ab|o|rh)\b)/i;

/** Whether two results stand beside each other, as where that of another column was taken with it. */
function isTwoResults(text: string): boolean {
  const words = text.split(" ");
  const half = words.length / 2;
  if (words.slice(0, half).join(" ") === words.slice(half).join(" ")) return true;
  return words.some((_, place) => {
    const [one, other] = [words.slice(0, place).join(" "), words.slice(place).join(" ")];
    return place > 0 && isResultWords(one) && isResultWords(other) && !(place === 1 && OF_MORE_WORDS.test(one));
  });
}

/** A range that is none, or a bracket. */
function isIncomplete({ name, value, range }: PrintedRow): boolean {
  const lacksRange = isNumeric(value) && range.min === null && range.max === null;
  const lacksBracket = (name.match(/\(/g)?.length ?? 0) !== (name.match(/\)/g)?.length ?? 0);
  return lacksRange || lacksBracket;
}

/** `H` stands with a value that is not above its range, `L` with one that is not below, `Normal` with one outside. */
function flagDisagrees({ value, flag, range }: PrintedRow): boolean {
  if (flag === null || value.number === null || value.comparator !== null) return false;
  if (flagMeaning(flag) === "normal") return isOutside(value.number, range);
  const isHigh = /^\W*(?:h|↑|▲)|high/i.test(flag);
  const isLow = /^\W*(?:l|↓|▼)|low/i.test(flag);
  if (isHigh && range.max !== null) return value.number < range.max;
  if (isLow && range.min !== null) return value.number > range.min;
  return isBounded(range) && !isOutside(value.number, range);
}

const isBounded = ({ min, max }: PrintedRange) => min !== null || max !== null;

const isOutside = (number: number, { min, max }: PrintedRange) =>
  (min !== null && number < min) || (max !== null && number > max);
