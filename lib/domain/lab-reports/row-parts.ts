import { flagOfSign, isFlagSign, splitSign } from "./flag-signs.ts";
import { type Patient, rangeOf } from "./range-groups.ts";
import { flagMeaning } from "./read-flag.ts";
import { isRange, isUnknownRange, noRange, type PrintedRange, readRange } from "./read-range.ts";
import { readResult } from "./read-sentence.ts";
import { type PrintedValue, readValue } from "./read-value.ts";
import { repairTexts } from "./repair-texts.ts";
import type { ReportWord } from "./report-page.ts";
import { isUnit, withoutBrackets } from "./report-units.ts";
import { unitBefore } from "./unit-before.ts";

/** The texts of a line by what they are, before they are read. */
export interface RowTexts {
  readonly name: string;
  readonly value: string;
  readonly flag: string;
  readonly units: string;
  readonly range: string;
}

/** What is known of a report before its lines are read. */
export interface ReadingContext {
  /** Whether the words were recognised in an image. */
  readonly isRecognised: boolean;
  readonly patient: Patient;
  /** Whether the catalogue knows a name. */
  readonly isKnown: (name: string) => boolean;
  /** When the specimen was collected, else when the report was made; null where it does not tell. */
  readonly day?: string | null;
}

/** What a line says of a result. */
export interface RowParts {
  readonly value: PrintedValue;
  readonly flag: string | null;
  readonly units: string | null;
  readonly range: PrintedRange;
  /** The range as it is printed, with those for other people. */
  readonly rangeText: string;
  /** Whether a range is printed that was not understood, or that is not for the patient. */
  readonly isRangeUnread: boolean;
  /** Whether a text was not taken as it was recognised. */
  readonly isRepaired: boolean;
}

/** A row of a report as it is printed, with the heading that it stands under. */
export interface PrintedRow extends RowParts {
  readonly name: string;
  readonly panel: string | null;
  /** Texts beside and below it that were read as nothing though they may say something of it. */
  readonly leftOver: readonly string[];
  /** The words that it was read from. */
  readonly words: readonly ReportWord[];
}

/** Reads the parts of a line; null where nothing in it is a value. Texts that were recognised are set right before. */
export function readParts(texts: RowTexts, { isRecognised, patient }: ReadingContext): RowParts | null {
  const repaired = isRecognised ? repairTexts(texts) : texts;
  const parts = partsOf(withPartsOfValue(repaired), patient);
  const isRepaired = (["value", "units", "range"] as const).some((part) => repaired[part] !== texts[part]);
  return parts && { ...parts, isRepaired };
}

/** The texts of a row whose value has its unit and its range with it, `98 mg/dL (65-99)`, each in its place. */
function withPartsOfValue(texts: RowTexts): RowTexts {
  if ((readValue(texts.value)?.kind ?? "words") !== "words" || !/\d/.test(texts.value)) return texts;
  const parted = readResult(texts.value);
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

/** A number and a sign, and a unit behind them. */
const SIGNED_UNIT = /^(\S*\d\s+(?:\+{1,2}|-{1,2}))\s+(\S.*)$/;

function partsOf(
  { value: valueText, flag: flagText, units: unitText, range: rangeText }: RowTexts,
  patient: Patient,
): Omit<RowParts, "isRepaired"> | null {
  const [, signedNumber = "", unitBehind = ""] = SIGNED_UNIT.exec(valueText) ?? [];
  if (unitText === "" && isUnit(unitBehind))
    return partsOf({ name: "", value: signedNumber, flag: flagText, units: unitBehind, range: rangeText }, patient);
  const signed = splitSign(valueText);
  if (signed) {
    const parts = partsOf(
      { name: "", value: signed.value, flag: signed.sign, units: unitText, range: rangeText },
      patient,
    );
    if (parts?.flag && parts.value.kind === "number") return parts;
  }
  const value = readValue(valueText);
  if (!value) return null;
  const flagged = flagIn(unitText.trim() || value.units || "");
  const behind = flagBehind(rangeText.trim());
  const { units, range } = partUnits(flagged.rest, behind.rest);
  const own = /\d/.test(range) ? rangeOf(range, patient) : range;
  const read = readRange(own ?? "");
  const sign = isFlagSign(flagText) ? flagOfSign(flagText, value.number, read) : null;
  const said = flagMeaning(flagText) && !isFlagSign(flagText) ? flagText.trim() : null;
  const flag = said ?? sign ?? value.flag ?? flagged.flag ?? behind.flag;
  return {
    value: { ...value, flag: null, units: null },
    flag,
    units: withoutBrackets(units) || read.units || null,
    range: read,
    rangeText: range,
    isRangeUnread: own === null || isUnknownRange(own),
  };
}

/** A flag that stands before a unit, and the unit. */
function flagIn(units: string): { flag: string | null; rest: string } {
  const [, first = "", behind = ""] = /^(\S+)(?:\s+(.+))?$/.exec(units) ?? [];
  const isFlag = flagMeaning(first) !== undefined && (behind === "" || isUnit(behind));
  return isFlag ? { flag: first, rest: behind } : { flag: null, rest: units };
}

/** A flag that stands behind a range, and the range. */
function flagBehind(range: string): { flag: string | null; rest: string } {
  const [, rest = "", flag = ""] =
    /^(.*\S)\s+(critical(?:\s+(?:high|low))?|high|low|abnormal|abn|HH|LL|H|L|A|C|\*{1,3})$/i.exec(range) ?? [];
  return flag !== "" && isRange(rest) ? { flag, rest } : { flag: null, rest: range };
}

/** Unit and range where one of them stands in the column of the other: `mg/dL 70-99`. */
function partUnits(units: string, range: string): { units: string; range: string } {
  const before = unitBefore(`${units} ${range}`.trim());
  if (before && (units === "" || range === "" || !isRange(range))) return before;
  if (range === "" || !isRange(range)) {
    const [, own = "", behind = ""] = /^(\S+)\s+(.+)$/.exec(`${units} ${range}`.trim()) ?? [];
    if (isUnit(own) && units.split(" ").length <= 2 && hasRange(behind)) return { units: own, range: behind };
  }
  if (units !== "" && isRange(units) && (range === "" || isUnit(range))) return { units: range, range: units };
  return { units, range };
}

const hasRange = (text: string) => readRange(text) !== noRange && (isRange(text) || readRange(text).expected !== null);
