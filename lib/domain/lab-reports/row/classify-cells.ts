import type { Cell } from "../page/page-lines.ts";
import { isFlagSign } from "./flag-signs.ts";
import { startsWithPopulation } from "./population-ranges.ts";
import { flagMeaning } from "./read-flag.ts";
import { isRange, readRange } from "./read-range.ts";
import { isQualitativeResult, isValue } from "./read-value.ts";
import { isUnit } from "./report-units.ts";
import type { RowTexts } from "./row-texts.ts";
import { mayBeResultText } from "./unread-texts.ts";

/** Classifies the cells behind a name as value, flag, unit and range; the rest may still be result content. */
export function classifyCells(cells: readonly Cell[]): { texts: RowTexts; leftOver: string[] } {
  const texts = { name: "", value: "", flag: "", units: "", range: "" };
  const [first, second] = cells;
  const isFlagFirst = first && second && flagMeaning(first.text) !== undefined && isValue(second.text);
  if (isFlagFirst) texts.flag = first.text;
  const behind = cells.slice(isFlagFirst ? 1 : 0).map(({ text }) => text);
  const leftOver = behind.filter((text) => !assignText(texts, text) && mayBeResultText(text));
  return { texts, leftOver };
}

/** Assigns a text to a free part of the row; returns false if none fits. */
function assignText(texts: { value: string; flag: string; units: string; range: string }, text: string): boolean {
  if (texts.value === "") texts.value = text;
  else if (texts.flag === "" && (flagMeaning(text) || isFlagSign(text))) texts.flag = text;
  else if (texts.units === "" && isUnit(text)) texts.units = text;
  else if (texts.range === "" && (isRange(text) || isQualitativeResult(text) || isPopulationRange(text)))
    texts.range = text;
  else return assignParts(texts, text);
  return true;
}

const isPopulationRange = (text: string) => /\d/.test(text) && startsWithPopulation(text);

/** Assigns a text that combines two parts: flag and unit, or unit and range. */
function assignParts(texts: { flag: string; units: string; range: string }, text: string): boolean {
  const [, first = "", rest = ""] = /^(\S+)\s+(.+)$/.exec(text) ?? [];
  if (rest === "") return false;
  const isFlag = texts.flag === "" && flagMeaning(first) !== undefined;
  const isFirstUnit = texts.units === "" && isUnit(first);
  if (isFlag) texts.flag = first;
  else if (isFirstUnit) texts.units = first;
  else return false;
  if (texts.units === "" && isUnit(rest)) texts.units = rest;
  else if (texts.range === "" && (isRange(rest) || readRange(rest).expected !== null)) texts.range = rest;
  else return assignParts(texts, rest);
  return true;
}
