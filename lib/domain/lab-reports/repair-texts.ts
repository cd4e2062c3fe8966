import { isResultWords } from "./read-value.ts";
import { repairNumber } from "./repair-numbers.ts";
import { repairUnits } from "./repair-units.ts";
import type { RowTexts } from "./row-parts.ts";

/** The texts of a line that was recognised in an image, as they were probably printed. */
export function repairTexts(texts: RowTexts): RowTexts {
  return {
    ...texts,
    value: repairValue(texts.value),
    units: texts.units === "" ? "" : (repairUnits(texts.units) ?? texts.units),
    range: repairRange(texts.range),
  };
}

/** A number that stands alone or before a flag or a unit; words stay as they are. */
function repairValue(read: string): string {
  const text = read.trim().replace(/^[|'‘’`"_.,:;~-]+\s+/, "");
  if (isResultWords(text) && !/\d/.test(text)) return text;
  const [first = "", ...rest] = text.split(" ");
  return repairNumber(text) ?? [repairNumber(first) ?? first, ...rest].join(" ");
}

const BETWEEN = /^([([{]?\s*)(\S+(?:\s[.,]\s?\d+)?)(\s*[-–—~]\s*|\s+to\s+)([^\s)\]}]+)(.*)$/;
const BOUND = /^([([{]?\s*(?:<\s?=?|>\s?=?|≤|≥))\s*([^\s)\]}]+)(.*)$/;

function repairRange(read: string): string {
  const text = read.trim();
  const between = BETWEEN.exec(text);
  if (between) {
    const [min, max] = [repairNumber(between[2] ?? ""), repairNumber(between[4] ?? "")];
    return min !== null && max !== null ? `${between[1]}${min}${between[3]}${max}${between[5]}` : text;
  }
  const bound = BOUND.exec(text);
  const number = repairNumber(bound?.[2] ?? "");
  return bound && number !== null ? `${bound[1]}${number}${bound[3]}` : text;
}
