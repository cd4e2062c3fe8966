import { flagMeaning } from "./read-flag.ts";
import { isQualitativeResult } from "./read-value.ts";
import { repairNumber } from "./repair-numbers.ts";
import { repairUnits } from "./repair-units.ts";
import { isUnit } from "./report-units.ts";
import type { RowTexts } from "./row-texts.ts";

/** Repairs OCR errors in the texts of a row. */
export function repairTexts(texts: RowTexts): RowTexts {
  return {
    ...texts,
    value: repairValue(texts.value),
    units: /^[^%sg\d]?$/.test(texts.units) ? "" : (repairUnits(texts.units) ?? texts.units),
    range: repairRange(texts.range),
  };
}

/** The unit of seconds behind a number is no digit five. */
const SECONDS = /^([<>]?\d+(?:\.\d+)?)s$/;

/** Repairs a number alone or before a flag or a unit. Words stay as they are. */
function repairValue(read: string): string {
  const text = read.trim().replaceAll(/^[|'‘’`"_.,:;~-]+\s+|(?<=\d)\s+[|'‘’`"_.,:;~—–-]+$/g, "");
  if (isQualitativeResult(text) && !/\d/.test(text)) return text;
  if (SECONDS.test(text)) return text.replace(SECONDS, "$1 s");
  const [first = "", ...rest] = text.split(" ");
  const units = rest.length === 1 ? rest.map((unit) => repairUnits(unit) ?? unit) : rest;
  return repairNumber(text) ?? [repairNumber(first) ?? first, ...units].join(" ");
}

const BETWEEN = /^([([{]?\s*)([^\s\-–—~=]+(?:\s[.,]\s?\d+)?)(\s*[-–—~=]\s*|\s+to\s+)([^\s)\]}]+)(.*)$/;
const BOUND = /^([([{]?\s*(?:<\s?=?|>\s?=?|≤|≥))\s*(\d+\.\s\d+|[^\s)\]}]+)(.*)$/;

function repairRange(read: string): string {
  const text = restoreDash(read.trim().replace(/^[+*|'‘’`"_.,:;~-]+\s+(?=[(<>\d])/, ""));
  const between = BETWEEN.exec(text);
  if (between) {
    const [min, max] = [repairNumber(between[2] ?? ""), repairNumber(between[4] ?? "")];
    if (min === null || max === null) return text;
    return `${between[1]}${min}${between[3]?.replace(/[~=]/, "-")}${max}${stripSpecks(between[5] ?? "")}`;
  }
  const bound = BOUND.exec(text);
  const number = repairNumber(bound?.[2] ?? "");
  return bound && number !== null ? `${bound[1]}${number}${stripSpecks(bound[3] ?? "")}` : text;
}

/** Strips one or two stray characters, or a broken unit, behind a range. Flags and units stay. */
function stripSpecks(behind: string): string {
  const sign = /^[)\]}]?\s+(\S{1,2}|(?:\S+ )?\S*\/\S*)$/.exec(behind)?.[1];
  const isSpeck = sign !== undefined && flagMeaning(sign) === undefined && !isUnit(sign);
  return isSpeck ? behind.slice(0, -sign.length).trimEnd() : behind;
}

/** Restores a lost or misrecognised dash or `to` between the bounds. */
function restoreDash(read: string): string {
  if (/\p{L}{3}/u.test(read) || !/\d/.test(read)) return read;
  const text = read
    .replace(/(?<=\d)\s*t[o0]\s*(?=\d)/, " to ")
    .replaceAll(/[.,:;]*([-–—])[.,:;]*/g, "$1")
    .replaceAll(/(?<=\d)(?:\.[:;,]+|[:;,]+\.)(?=\d)/g, ".");
  if (/\d\s*(?:[-–—~=]|to)\s*\d/.test(text)) return text;
  const apart = /^([([]?)(\d+(?:[.:]\d+)?)\s+(\d+(?:[.:]\d+)?)([)\]]?)(?:\s+\D{1,2})?$/.exec(text);
  if (apart) return `${apart[1]}${apart[2]}-${apart[3]}${apart[4]}`;
  const joined = /^(\d+\.(\d+?))(\d+\.(\d+))$/.exec(text);
  if (joined && joined[2]?.length === joined[4]?.length) return `${joined[1]}-${joined[3]}`;
  return text.replace(/^(\d+)[:;](\d+)[:;]?$/, "$1-$2");
}
