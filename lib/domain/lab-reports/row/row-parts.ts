import type { ReportWord } from "../page/report-page.ts";
import { flagFromSign, isFlagSign, splitFlagSign } from "./flag-signs.ts";
import { type Patient, selectRange } from "./population-ranges.ts";
import { flagMeaning } from "./read-flag.ts";
import { isRange, isUnreadableRange, noRange, type PrintedRange, readRange } from "./read-range.ts";
import { readResultText } from "./read-sentence.ts";
import { isUnambiguousResult, type PrintedValue, readValue } from "./read-value.ts";
import { repairTexts } from "./repair-texts.ts";
import { isUnit, stripUnitBrackets } from "./report-units.ts";
import type { RowTexts } from "./row-texts.ts";
import { splitUnitAndRange } from "./split-unit-and-range.ts";

/** Context of a report for reading its lines. */
export interface ReadingContext {
  /** Whether OCR recognised the words. */
  readonly isRecognised: boolean;
  readonly patient: Patient;
  /** Reports whether the catalogue knows a name. */
  readonly isKnown: (name: string) => boolean;
  /** Collection date, else report date; null if the report states neither. */
  readonly day?: string | null;
}

/** The parsed parts of a result. */
export interface RowParts {
  readonly value: PrintedValue;
  readonly flag: string | null;
  readonly units: string | null;
  readonly range: PrintedRange;
  /** The range as printed, including the ranges of other populations. */
  readonly rangeText: string;
  /** Whether a printed range is unreadable or does not apply to the patient. */
  readonly hasUnreadRange: boolean;
  /** Whether a text differs from its OCR output. */
  readonly isRepaired: boolean;
}

/** A printed row with its panel. */
export interface PrintedRow extends RowParts {
  readonly name: string;
  readonly panel: string | null;
  /** Unread texts beside and below the row that may belong to it. */
  readonly unreadTexts: readonly string[];
  /** The words of the row. */
  readonly words: readonly ReportWord[];
}

/** Parses the parts of a row; null without a value. Repairs OCR texts first. */
export function readRowParts(texts: RowTexts, { isRecognised, patient }: ReadingContext): RowParts | null {
  const repaired = isRecognised ? repairTexts(texts) : texts;
  const parts = parseRowTexts(splitCombinedValue(repaired), patient);
  const isRepaired = (["value", "units", "range"] as const).some((part) => repaired[part] !== texts[part]);
  return parts && { ...parts, isRepaired };
}

/** Splits a value that includes its unit and range, `98 mg/dL (65-99)`. */
function splitCombinedValue(texts: RowTexts): RowTexts {
  if ((readValue(texts.value)?.kind ?? "words") !== "words" || !/\d/.test(texts.value)) return texts;
  const parted = readResultText(texts.value);
  if (!parted || (parted.range !== "" && texts.range !== "") || (parted.units !== "" && texts.units !== ""))
    return texts;
  return {
    ...texts,
    value: parted.value,
    flag: texts.flag || parted.flag,
    units: texts.units || parted.units,
    range: texts.range || parted.range,
  };
}

/** A number, a sign and a unit. */
const SIGNED_UNIT = /^(\S*\d\s+(?:\+{1,2}|-{1,2}))\s+(\S.*)$/;

function parseRowTexts(
  { value: valueText, flag: flagText, units: unitText, range: rangeText }: RowTexts,
  patient: Patient,
): Omit<RowParts, "isRepaired"> | null {
  const [, signedNumber = "", unitBehind = ""] = SIGNED_UNIT.exec(valueText) ?? [];
  if (unitText === "" && isUnit(unitBehind))
    return parseRowTexts(
      { name: "", value: signedNumber, flag: flagText, units: unitBehind, range: rangeText },
      patient,
    );
  const signed = splitFlagSign(valueText);
  if (signed) {
    const parts = parseRowTexts(
      { name: "", value: signed.value, flag: signed.sign, units: unitText, range: rangeText },
      patient,
    );
    if (parts?.flag && parts.value.kind === "number") return parts;
  }
  const value = readValue(valueText);
  if (!value) return null;
  const flagged = splitFlagBeforeUnit(unitText.trim() || value.units || "");
  const behind = splitFlagAfterRange(rangeText.trim());
  const { units, range } = splitUnitsAndRange(flagged.rest, behind.rest);
  const own = /\d/.test(range) ? selectRange(range, patient) : range;
  const read = readRange(own ?? "");
  const sign = isFlagSign(flagText) ? flagFromSign(flagText, value.number, read) : null;
  const said = flagMeaning(flagText) && !isFlagSign(flagText) ? flagText.trim() : null;
  const flag = said ?? sign ?? value.flag ?? flagged.flag ?? behind.flag;
  return {
    value: { ...value, flag: null, units: null },
    flag,
    units: stripUnitBrackets(units) || read.units || null,
    range: read,
    rangeText: range,
    hasUnreadRange: own === null || isUnreadableRange(own),
  };
}

/** Splits a flag before a unit. */
function splitFlagBeforeUnit(units: string): { flag: string | null; rest: string } {
  const [, first = "", behind = ""] = /^(\S+)(?:\s+(.+))?$/.exec(units) ?? [];
  const isFlag = flagMeaning(first) !== undefined && (behind === "" || isUnit(behind));
  return isFlag ? { flag: first, rest: behind } : { flag: null, rest: units };
}

/** Splits a flag behind a range. */
function splitFlagAfterRange(range: string): { flag: string | null; rest: string } {
  const [, rest = "", flag = ""] =
    /^(.*\S)\s+(critical(?:\s+(?:high|low))?|high|low|abnormal|abn|HH|LL|H|L|A|C|\*{1,3})$/i.exec(range) ?? [];
  return flag !== "" && (isRange(rest) || isUnambiguousResult(rest)) ? { flag, rest } : { flag: null, rest: range };
}

/** Separates unit and range if one stands in the column of the other: `mg/dL 70-99`. */
function splitUnitsAndRange(units: string, range: string): { units: string; range: string } {
  const before = splitUnitAndRange(`${units} ${range}`.trim());
  if (before && (units === "" || range === "" || !isRange(range))) return before;
  if (range === "" || !isRange(range)) {
    const [, own = "", behind = ""] = /^(\S+)\s+(.+)$/.exec(`${units} ${range}`.trim()) ?? [];
    if (isUnit(own) && units.split(" ").length <= 2 && hasRange(behind)) return { units: own, range: behind };
  }
  if (units !== "" && isRange(units) && (range === "" || isUnit(range))) return { units: range, range: units };
  return { units, range };
}

const hasRange = (text: string) => readRange(text) !== noRange && (isRange(text) || readRange(text).expected !== null);
