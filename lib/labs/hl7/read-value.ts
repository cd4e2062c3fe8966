import type { Observation } from "../../domain/results/lab-report.ts";
import { componentsOf, type Message, repetitionsOf, type Segment, textOf } from "./message.ts";
import { fromHl7Date, fromHl7Time } from "./time.ts";

/** The value of an observation as text, with its type, and its unit if the value itself has one. */
export interface ReportedValue extends Pick<Observation, "type" | "value"> {
  readonly unit?: string;
}

const VALUE_FIELD = 5;
const NUMERIC = /^(?:[<>]=?)?\s*[+-]?(?:\d+(?:\.\d+)?|\.\d+)$/;

const comment = (value: string): ReportedValue => ({ type: "comment", value });
const numberOrComment = (value: string): ReportedValue =>
  NUMERIC.test(value) ? { type: "numeric", value: normalizeNumber(value) } : comment(value);

/** Drops a plus sign, and puts a digit before a decimal point: `+.5` is `0.5`. */
function normalizeNumber(value: string): string {
  const [, sign = "", minus = "", digits = value] = /^([<>]=?\s*)?(?:\+|(-))?(\.?\d.*)$/.exec(value) ?? [];
  return `${sign}${minus}${digits.startsWith(".") ? "0" : ""}${digits}`;
}

type ComponentReader = (components: readonly string[]) => ReportedValue;

/** Readers of one repetition by value type (HL7 table 0125). Types that are not listed contain text. */
const componentReaders: Readonly<Record<string, ComponentReader>> = {
  CE: readCoded,
  CF: readCoded,
  CNE: readCoded,
  CWE: readCoded,
  CQ: ([value = "", unit = ""]) => ({ ...numberOrComment(value), ...(unit === "" ? {} : { unit }) }),
  DT: ([value = ""]) => comment(fromHl7Date(value) ?? value),
  DTM: ([value = ""]) => comment(dateOrTime(value)),
  NA: (values) => comment(values.join(", ")),
  NR: ([low = "", high = ""]) => ({ type: "range", value: `${low}-${high}` }),
  SN: readStructuredNumeric,
  TM: ([value = ""]) => comment(value.replace(/^(\d\d)(\d\d)/, "$1:$2")),
  TS: ([value = ""]) => comment(dateOrTime(value)),
};

/** Types with components that have no reader of their own, such as addresses and names. */
const COMPOSITE = /^(?:AD|CN|CP|CX|EI|HD|MO|PL|PN|SPS|TN|X[A-Z]{2})$/;

/** Reads OBX-5 by the type in OBX-2. Repetitions become lines, because a comment may have several. */
export function readValue(message: Message, obx: Segment, kind: string): ReportedValue {
  const read = componentReaders[kind] ?? (COMPOSITE.test(kind) ? readComposite : undefined);
  if (!read) {
    const value = textOf(message, obx, VALUE_FIELD);
    return kind === "NM" || kind === "SI" ? { type: "numeric", value: normalizeNumber(value) } : numberOrComment(value);
  }
  const [first, ...others] = repetitionsOf(message, obx, VALUE_FIELD).map((one) => read(componentsOf(message, one)));
  if (!first || others.length === 0) return first ?? comment("");
  return { ...first, value: [first, ...others].map(({ value }) => value).join("\n") };
}

const readComposite: ComponentReader = (components) => comment(components.filter((part) => part !== "").join(" "));

/** Words before codes: the own text, the original text, the words of the second code, then the codes. */
function readCoded([
  code = "",
  words = "",
  ,
  otherCode = "",
  otherWords = "",
  ,
  ,
  ,
  original = "",
]: readonly string[]): ReportedValue {
  return { type: "coded_value", value: words || original || otherWords || code || otherCode };
}

/** A structured numeric: a comparator, a ratio or a range (HL7 v2.5.1, 2.A.71 "SN"). */
function readStructuredNumeric([sign = "", first = "", separator = "", second = ""]: readonly string[]): ReportedValue {
  const value = `${sign === "=" ? "" : sign}${normalizeNumber(first)}${separator}${normalizeNumber(second)}`;
  return separator === "-" ? { type: "range", value } : numberOrComment(value);
}

/** A date, or a time in UTC if it has an hour and its own offset; else what the laboratory wrote. */
function dateOrTime(value: string): string {
  if (/^\d{8}$/.test(value)) return fromHl7Date(value) ?? value;
  return /[+-]\d{4}$/.test(value) ? (fromHl7Time(value) ?? value) : value;
}
