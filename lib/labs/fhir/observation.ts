import { systems } from "../../domain/fhir/systems.ts";
import { type Observation, ReportRefused } from "../../domain/results/lab-report.ts";
import type { FhirConcept, FhirObservation, FhirRange } from "./resources.ts";

const states: Readonly<Record<string, Observation["status"]>> = {
  registered: "preliminary",
  preliminary: "preliminary",
  amended: "corrected",
  corrected: "corrected",
  cancelled: "cancelled",
  "entered-in-error": "cancelled",
};

/** Converts a FHIR Observation. @param testCode the code of the ordered test. */
export function toObservation(one: FhirObservation, testCode: string | null): Observation {
  const { code, loinc, name } = readConcept(one.code);
  if (code === null) throw new ReportRefused("An observation does not say what was measured.");
  const { type, value } = readValue(one);
  const isAbsent = value === "" && one.dataAbsentReason !== undefined;
  const notes = [...(one.note ?? []).map(({ text }) => text), ...(isAbsent ? [wordsOf(one.dataAbsentReason)] : [])];
  return {
    code,
    loinc,
    name: name ?? code,
    test_code: testCode,
    type,
    value,
    unit: one.valueQuantity?.code ?? one.valueQuantity?.unit ?? null,
    reference_range: rangesOf(one.referenceRange ?? []),
    flag: one.interpretation?.[0]?.coding?.[0]?.code ?? "",
    status: isAbsent ? "cancelled" : (states[one.status] ?? "final"),
    note: notes.filter((note) => note !== "").join("\n") || null,
    performing_laboratory: one.performer?.[0]?.display ?? null,
  };
}

/** The codes of a CodeableConcept: the laboratory's own code, else LOINC. */
export function readConcept({ coding = [], text }: FhirConcept): {
  code: string | null;
  loinc: string | null;
  name: string | null;
} {
  const loinc = coding.find(({ system }) => system === systems.loinc);
  const own = coding.find(({ system }) => system !== systems.loinc);
  return {
    code: own?.code ?? loinc?.code ?? null,
    loinc: loinc?.code ?? null,
    name: text ?? own?.display ?? loinc?.display ?? null,
  };
}

const wordsOf = (concept: FhirConcept | undefined) =>
  concept?.text ?? concept?.coding?.[0]?.display ?? concept?.coding?.[0]?.code ?? "";

function readValue(one: FhirObservation): Pick<Observation, "type" | "value"> {
  const { valueQuantity, valueInteger, valueRange, valueCodeableConcept, valueString } = one;
  if (valueQuantity?.value !== undefined) {
    return { type: "numeric", value: `${valueQuantity.comparator ?? ""}${valueQuantity.value}` };
  }
  if (valueInteger !== undefined) return { type: "numeric", value: String(valueInteger) };
  if (valueRange) return { type: "range", value: `${valueRange.low?.value ?? ""}-${valueRange.high?.value ?? ""}` };
  if (valueCodeableConcept) return { type: "coded_value", value: wordsOf(valueCodeableConcept) };
  return { type: "comment", value: valueString ?? "" };
}

/** Formats reference ranges as laboratories print them. */
function rangesOf(ranges: readonly FhirRange[]): string | null {
  const printed = ranges.map(({ low, high, text }) => {
    if (text !== undefined) return text;
    if (low?.value !== undefined && high?.value !== undefined) return `${low.value}-${high.value}`;
    if (low?.value !== undefined) return `>=${low.value}`;
    return high?.value === undefined ? "" : `<=${high.value}`;
  });
  return printed.filter((part) => part !== "").join("; ") || null;
}
