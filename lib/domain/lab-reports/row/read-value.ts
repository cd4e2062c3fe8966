import type { MeasuredNumber } from "../../results/values/compare-with-range.ts";
import { splitFlag } from "./read-flag.ts";
import { toNumber } from "./read-range.ts";
import { isUnit } from "./report-units.ts";

/** A printed value with its flag and unit. */
export interface PrintedValue {
  readonly value: string;
  readonly flag: string | null;
  readonly units: string | null;
  readonly kind: "number" | "span" | "titer" | "grade" | "words";
  /** The number without its comparator; null for other kinds. */
  readonly number: number | null;
  readonly comparator: string | null;
}

const NUMBER = String.raw`[-+]?(?:(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?|\.\d+)`;
const AMOUNT = new RegExp(String.raw`^(<\s?=?|>\s?=?|≤|≥|=<|=>)?\s*(${NUMBER})(?:\s*(.*))?$`);
const SPAN = /^(\d+(?:\.\d+)?)\s?[-–]\s?(\d+(?:\.\d+)?)(?:\s+(.*))?$/;
const TITER = /^([<>]\s?=?|≤|≥|=<|=>)?\s?1\s?:\s?(\d+)$/;
const GRADE = /^(?:[1-4]\+|\+{1,4}|[1-4]\s\+)$/;
const DATE = /^\d{1,4}[/.-]\d{1,2}[/.-]\d{1,4}$|^\d{1,2}:\d{2}/;

/** Identifiers: too long, or with several hyphens. */
const IDENTIFIER = /^\d{8,}$|^\d+(?:-\d+){2,}$|^\d{3}-\d{4}$/;

/** Starts of qualitative results. */
const QUALITATIVE_RESULT =
  /^(?:neg|pos|non[- ]?react|react|not? det|detected|undetect|indeterm|equivoc|trace|clear|cloudy|hazy|turbid|yellow|straw|amber|colou?rless|brown|red\b|orange|pink|dark|pale|light|slightly|sl\.?\s|none|few|moderate|many|rare|occasional|small|large|abnormal|normal|present|absent|immune|non[- ]?immune|not immune|borderline|inconclusive|invalid|see\b|tnp|qns|pending|not (?:performed|calculated|applicable|reported)|comment|(?:a|b|ab|o)(?:\s*(?:pos|neg|\+|-).*|\s*rh.*)?$|rh\b|unable|susceptible|resistant|intermediate|high|low|positive|negative|no growth|growth|nonreactive|hemolyzed|seen|not seen|1\+|within|presumptive|confirmed|screen)/i;

/** Reports whether words may be a qualitative result, including single capital letters of blood groups. */
export const isQualitativeResult = (text: string): boolean => QUALITATIVE_RESULT.test(text.trim());

/** Reports whether words are a qualitative result and cannot be part of a name. */
export const isUnambiguousResult = (text: string): boolean =>
  /^(?:(?:weakly )?positive|negative|(?:non[- ]?)?reactive|(?:not |none |un)?detected|none(?: seen)?|trace|normal|abnormal|clear|(?:not )?immune|present|absent|equivocal|borderline|indeterminate)$/i.test(
    text,
  );

/** Reports whether a text may be a result, with its flag and unit. */
export function isValue(text: string): boolean {
  const value = readValue(text);
  return value !== null && (value.kind !== "words" || isQualitativeResult(value.value));
}

/** The denominator of a titer, with its comparator; null for other texts. */
export function readTiter(text: string): MeasuredNumber | null {
  const [, comparator = null, denominator] = TITER.exec(text) ?? [];
  return denominator === undefined ? null : { number: Number(denominator), comparator };
}

/** Reads a printed value and splits off its flag and unit; null for dates and for empty texts. */
export function readValue(printed: string): PrintedValue | null {
  const { text, flag } = splitFlag(printed);
  if (text === "" || IDENTIFIER.test(text) || (DATE.test(text) && !TITER.test(text))) return null;
  const none = { flag, units: null, number: null, comparator: null };
  if (TITER.test(text)) return { ...none, value: text, kind: "titer" };
  if (GRADE.test(text)) return { ...none, value: text, kind: "grade" };
  const span = SPAN.exec(text);
  if (span) return { ...none, value: `${span[1]}-${span[2]}`, units: span[3] || null, kind: "span" };
  const amount = AMOUNT.exec(text);
  if (amount?.[2] !== undefined && isValueSuffix(amount[3] ?? "")) return toAmount(amount, flag);
  const isLong = /\d/.test(text) && text.split(" ").length > 3;
  return /[\p{L}\d]/u.test(text) && !isLong ? { ...none, value: text, kind: "words" } : null;
}

/** Reports whether a text may follow a number: nothing, a unit, or a flag and a unit. */
function isValueSuffix(rest: string): boolean {
  if (rest === "") return true;
  const { text } = splitFlag(`0 ${rest}`);
  const plain = text.slice(1).trim();
  return plain === "" || isUnit(plain) || isUnit(splitLeadingFlag(plain).rest);
}

function splitLeadingFlag(text: string): { flag: string | null; rest: string } {
  const match = /^(HH|LL|H|L|A|C|\*{1,3}|\((?:HH|LL|H|L|A|C|\*)\)|high|low|abnormal|critical)\s+(\S.*)$/i.exec(text);
  return match?.[1] && match[2] ? { flag: match[1], rest: match[2] } : { flag: null, rest: text };
}

function toAmount([, sign, number = "", behind = ""]: RegExpExecArray, flag: string | null): PrintedValue {
  const { flag: inner, rest } = splitLeadingFlag(behind.trim());
  const comparator = sign?.replaceAll(" ", "") ?? null;
  return {
    value: `${comparator ?? ""}${number}`,
    flag: flag ?? inner,
    units: rest || null,
    kind: "number",
    number: toNumber(number),
    comparator,
  };
}
