import { type Observation, ReportRefused } from "../../domain/results/lab-report.ts";
import { componentsOf, type Message, repetitionsOf, type Segment, valueAt } from "./message.ts";
import { readValue } from "./read-value.ts";

/** Observation result status (HL7 table 0085); other codes are final. */
const states: Readonly<Record<string, Observation["status"]>> = {
  P: "preliminary",
  I: "preliminary",
  S: "preliminary",
  R: "preliminary",
  F: "final",
  C: "corrected",
  A: "corrected",
  X: "cancelled",
  D: "withdrawn",
  W: "withdrawn",
  N: "cancelled",
};

/** Value types for files, which results do not carry. */
const FILES = ["ED", "RP"];
/** Status of an observation that repeats what the order said, and is no result. */
const ORDER_DETAIL = "O";

/** An observation with its sub-id (OBX-4), which tells observations of one code apart. */
export interface ReadObservation {
  readonly observation: Observation;
  readonly subId: string;
  /** Whether the value is text, which may continue in the next segment. */
  readonly isText: boolean;
}

/**
 * Reads an OBX segment; undefined if it carries a file or no result.
 * @param line the line number for errors.
 * @throws ReportRefused for an observation without a code.
 */
export function readObservation(
  message: Message,
  obx: Segment,
  request: Segment,
  note: string,
  line: number,
): ReadObservation | undefined {
  const at = (field: number, component = 1) => valueAt(message, obx, field, { component });
  const [kind, state] = [at(2).toUpperCase(), at(11).toUpperCase()];
  if (FILES.includes(kind) || state === ORDER_DETAIL) return undefined;
  const { type, value, unit } = readValue(message, obx, kind);
  const observation: Observation = {
    ...readCode(at, line),
    test_code: valueAt(message, request, 4) || valueAt(message, request, 4, { component: 4 }) || null,
    type,
    value,
    unit: at(6) || unit || null,
    reference_range: referenceRange(message, obx),
    flag: flagsOf(message, obx),
    status: states[state] ?? "final",
    note: note.trim() === "" ? null : note,
    performing_laboratory: at(23) || null,
  };
  return { observation, subId: at(4), isText: kind === "TX" || kind === "FT" || kind === "ST" };
}

/** The codes and the name in OBX-3. A name alone identifies the observation too. */
function readCode(
  at: (field: number, component?: number) => string,
  line: number,
): Pick<Observation, "code" | "loinc" | "name"> {
  const name = at(3, 2) || at(3, 5) || at(3, 9);
  const code = at(3) || at(3, 4) || name;
  if (code === "") throw new ReportRefused(`Line ${line} does not say what was measured.`);
  const isLoinc = (component: number) => ["LN", "LOINC", "LNC"].includes(at(3, component).toUpperCase());
  const loinc = isLoinc(3) ? at(3) : isLoinc(6) ? at(3, 4) : "";
  return { code, loinc: loinc === "" ? null : loinc, name: name || code };
}

/** The abnormal flags, separated by `~` as the laboratory wrote them. */
const flagsOf = (message: Message, obx: Segment): string =>
  repetitionsOf(message, obx, 8)
    .map((one) => componentsOf(message, one)[0] ?? "")
    .filter((flag) => flag !== "")
    .join("~");

/** The reference range as text. Some laboratories send its bounds as components. */
function referenceRange(message: Message, obx: Segment): string | null {
  const parts = repetitionsOf(message, obx, 7).map((one) =>
    componentsOf(message, one)
      .filter((part) => part !== "")
      .join(" "),
  );
  return parts.filter((part) => part !== "").join("; ") || null;
}
