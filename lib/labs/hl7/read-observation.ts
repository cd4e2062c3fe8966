import { type Observation, ReportRefused } from "../../domain/results/lab-report.ts";
import { countRepetitions, type Message, type Segment, valueAt } from "./message.ts";

/** Observation result status (HL7 table 0085); other codes are final. */
const states: Readonly<Record<string, Observation["status"]>> = {
  P: "preliminary",
  I: "preliminary",
  S: "preliminary",
  R: "preliminary",
  F: "final",
  C: "corrected",
  X: "cancelled",
  D: "cancelled",
  W: "cancelled",
};

/** Value types for files, which results do not carry. */
const FILES = ["ED", "RP"];
const NUMERIC = /^(?:[<>]=?)?\s*-?\d+(?:\.\d+)?$/;

/**
 * Reads an OBX segment; empty if it carries a file.
 * @param line the line number for errors.
 * @throws ReportRefused for an observation without a code.
 */
export function readObservation(
  message: Message,
  obx: Segment,
  request: Segment,
  note: string,
  line: number,
): Observation[] {
  const at = (field: number, component = 1) => valueAt(message, obx, field, { component });
  const kind = at(2);
  if (FILES.includes(kind)) return [];
  const code = at(3) || at(3, 4);
  if (code === "") throw new ReportRefused(`Line ${line} does not say what was measured.`);
  const isCoded = (component: number) => at(3, component) === "LN";
  const loinc = isCoded(3) ? at(3) : isCoded(6) ? at(3, 4) : "";
  const { type, value } = readValue(message, obx, kind);
  const flag = at(8);
  return [
    {
      code,
      loinc: loinc === "" ? null : loinc,
      name: at(3, 2) || at(3, 5) || code,
      test_code: valueAt(message, request, 4) || null,
      type,
      value,
      unit: at(6) || null,
      reference_range: at(7) || null,
      flag,
      status: states[at(11)] ?? "final",
      note: note.trim() === "" ? null : note,
      performing_laboratory: at(23) || null,
    },
  ];
}

/** The value of an observation as text, and its type. */
function readValue(message: Message, obx: Segment, kind: string): Pick<Observation, "type" | "value"> {
  const at = (component: number, repetition = 1) => valueAt(message, obx, 5, { component, repetition });
  if (kind === "SN") return readStructuredNumeric(at(1), at(2), at(3), at(4));
  if (kind === "CE" || kind === "CWE") return { type: "coded_value", value: at(2) || at(9) || at(1) };
  const lines = Array.from({ length: countRepetitions(message, obx, 5) }, (_, index) => at(1, index + 1));
  const value = lines.join("\n").trim();
  return { type: kind === "NM" || NUMERIC.test(value) ? "numeric" : "comment", value };
}

/** A structured numeric (SN): a comparator, a ratio or a range. */
function readStructuredNumeric(
  sign: string,
  first: string,
  separator: string,
  second: string,
): Pick<Observation, "type" | "value"> {
  const value = `${sign === "=" ? "" : sign}${first}${separator}${second}`;
  return { type: separator === "-" ? "range" : NUMERIC.test(value) ? "numeric" : "comment", value };
}
