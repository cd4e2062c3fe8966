import { systems } from "../../domain/fhir/systems.ts";
import { type Observation, ReportRefused } from "../../domain/results/lab-report.ts";
import { readMeasuredValue, wordsOf } from "./read-measured-value.ts";
import type { FhirConcept, FhirMeasurement, FhirObservation, FhirRange } from "./resources.ts";

const states: Readonly<Record<string, Observation["status"]>> = {
  registered: "preliminary",
  preliminary: "preliminary",
  amended: "corrected",
  corrected: "corrected",
  cancelled: "cancelled",
  "entered-in-error": "withdrawn",
};

/**
 * Converts a FHIR Observation: its own value, then its components. One that only groups others has no value of its own.
 * @param testCode the code of the ordered test.
 */
export function toObservations(one: FhirObservation, testCode: string | null): Observation[] {
  const components = one.component ?? [];
  const groups = components.length > 0 || (one.hasMember ?? []).length > 0;
  const own = groups && readMeasuredValue(one).value === "" ? [] : [one];
  const notes = (one.note ?? []).map(({ text }) => text);
  return [...own, ...components].map((measured, place) => ({
    ...toMeasurement(measured, one.status, place === 0 ? notes : []),
    test_code: testCode,
    performing_laboratory: one.performer?.[0]?.display ?? null,
  }));
}

function toMeasurement(
  one: FhirMeasurement,
  status: string,
  given: readonly string[],
): Omit<Observation, "test_code" | "performing_laboratory"> {
  const { code, loinc, name } = readConcept(one.code);
  if (code === null) throw new ReportRefused("An observation does not say what was measured.");
  const { type, value, unit = null } = readMeasuredValue(one);
  const isAbsent = value === "" && one.dataAbsentReason !== undefined;
  const notes = [...given, ...(isAbsent ? [wordsOf(one.dataAbsentReason)] : [])];
  return {
    code,
    loinc,
    name: name ?? code,
    type,
    value,
    unit,
    reference_range: rangesOf(one.referenceRange ?? []),
    flag: flagsOf(one.interpretation ?? []),
    status: isAbsent ? "cancelled" : (states[status] ?? "final"),
    note: notes.filter((note) => note !== "").join("\n") || null,
  };
}

/** The codes of a CodeableConcept: the laboratory's own code, else LOINC, else its words. */
export function readConcept({ coding = [], text }: FhirConcept): {
  code: string | null;
  loinc: string | null;
  name: string | null;
} {
  const loinc = coding.find(({ system, code }) => system === systems.loinc && code !== undefined);
  const own = coding.find(({ system, code }) => system !== systems.loinc && code !== undefined);
  const name = text ?? own?.display ?? loinc?.display ?? null;
  return { code: own?.code ?? loinc?.code ?? (name || null), loinc: loinc?.code ?? null, name };
}

/** The flags of interpretations: the code of each, else its words. */
const flagsOf = (interpretations: readonly FhirConcept[]): string =>
  interpretations
    .map(({ coding = [], text }) => coding.find(({ code }) => code !== undefined)?.code ?? text ?? "")
    .filter((flag) => flag !== "")
    .join("~");

/** Formats reference ranges as laboratories print them. */
function rangesOf(ranges: readonly FhirRange[]): string | null {
  const printed = ranges.map(({ low, high, text }) => {
    if (text !== undefined) return text;
    if (low?.value !== undefined && high?.value !== undefined) return `${low.value.text}-${high.value.text}`;
    if (low?.value !== undefined) return `>=${low.value.text}`;
    return high?.value === undefined ? "" : `<=${high.value.text}`;
  });
  return printed.filter((part) => part !== "").join("; ") || null;
}
