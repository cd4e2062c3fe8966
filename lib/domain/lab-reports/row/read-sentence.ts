import { startsWithPopulation } from "./population-ranges.ts";
import { flagMeaning } from "./read-flag.ts";
import { isRange } from "./read-range.ts";
import { isQualitativeResult, readValue } from "./read-value.ts";
import { isUnit } from "./report-units.ts";
import type { RowTexts } from "./row-texts.ts";

/** `Glucose: 98 mg/dL`, `Glucose = 98 mg/dL`, `Glucose is 98 mg/dL`. */
const NAME_AND_RESULT = /^([^:=]{1,70}?)\s*(?::|=|\s(?:is|was)\s)\s*(\S.*)$/;
const BRACKET = /^(.*\S)\s*[([]([^()[\]]*(?:\([^()]*\)[^()[\]]*)?)[)\]][.;,]?$/;
const LABEL =
  /^(?:(?:reference|ref\.?|normal|expected|usual)\s*)?(?:ranges?|intervals?|values?|limits?|reference|ref\.?|normal|expected|usual)\s*[:=]?\s+/i;
const MAX_RESULT_WORDS = 4;

/** Reads a result in a sentence: name, value, then flag and range in any order; null for other lines. */
export function readSentence(text: string, isKnown: (name: string) => boolean): RowTexts | null {
  const [, name = "", rest = ""] = NAME_AND_RESULT.exec(text) ?? splitAfterKnownName(text, isKnown);
  if (!/\p{L}/u.test(name)) return null;
  const texts = readResultText(rest);
  return texts && { ...texts, name };
}

/**
 * Reads a value followed by its unit, flag and range in any order, as in `98 mg/dL [H], normal 65-99`; null for other
 * texts.
 */
export function readResultText(text: string): RowTexts | null {
  const [, bracketed = "", sign = ""] = /^(.*[)\]])\s+(\S+)$/.exec(text) ?? [];
  if (flagMeaning(sign)) return readResultText(`${bracketed}, ${sign}`);
  const [first = "", ...others] = text.split(/\s*[,;]\s+/);
  const { value, ...inBrackets } = withoutBrackets(first);
  const { main, units } = splitUnit(value);
  const texts = { name: "", value: main, units, ...inBrackets };
  const isUnderstood = others.every((other) => assignText(texts, other));
  return isUnderstood && isResult(main) ? texts : null;
}

function assignText(texts: { flag: string; units: string; range: string }, printed: string): boolean {
  const { value, flag, range } = withoutBrackets(printed);
  const text = value.replace(LABEL, "");
  if (flag !== "") texts.flag ||= flag;
  if (range !== "") texts.range ||= range;
  if (flagMeaning(text)) texts.flag ||= text;
  else if (isUnit(text)) texts.units ||= text;
  else if (isRangeText(text)) texts.range ||= text;
  else return false;
  return true;
}

/** Splits a text before a number that follows a known name. */
function splitAfterKnownName(text: string, isKnown: (name: string) => boolean): string[] {
  const words = text.split(" ");
  const place = words.findIndex(
    (word, index) => index > 0 && /^[<>≤≥]?=?\d/.test(word) && isKnown(words.slice(0, index).join(" ")),
  );
  return place < 0 ? [] : ["", words.slice(0, place).join(" "), words.slice(place).join(" ")];
}

/** Strips trailing brackets that contain a flag or a range. */
function withoutBrackets(text: string): { value: string; flag: string; range: string } {
  let [value, flag, range] = [text, "", ""];
  for (let match = BRACKET.exec(value); match; match = BRACKET.exec(value)) {
    const [, before = "", inner = ""] = match;
    const plain = inner.trim().replace(LABEL, "");
    if (flag === "" && flagMeaning(inner)) flag = inner;
    else if (range === "" && (isRangeText(plain) || plain !== inner.trim())) range = plain;
    else break;
    value = before;
  }
  return { value, flag, range };
}

const isRangeText = (text: string) => isRange(text) || (startsWithPopulation(text) && /\d/.test(text));

/** Splits a number from its unit and an optional flag: `98 mg/dL`, `98 mg/dL H`. */
function splitUnit(text: string): { main: string; units: string } {
  const [, number = "", behind = ""] = /^((?:[<>≤≥]=?\s*)?[\d.,]+(?:\s*[-–]\s*[\d.,]+)?)\s*(\S.*)$/.exec(text) ?? [];
  const [, units = "", flag = ""] = /^(.*\S)\s+(\S+)$/.exec(behind) ?? [];
  if (isUnit(behind)) return { main: number, units: behind };
  return isUnit(units) && flagMeaning(flag) ? { main: `${number} ${flag}`, units } : { main: text, units: "" };
}

function isResult(text: string): boolean {
  const value = readValue(text);
  if (!value) return false;
  return value.kind !== "words" || (isQualitativeResult(value.value) && text.split(" ").length <= MAX_RESULT_WORDS);
}
