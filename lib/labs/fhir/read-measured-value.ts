import type { Observation } from "../../domain/results/lab-report.ts";
import type { FhirConcept, FhirMeasurement } from "./resources.ts";

/** The value of a measurement as text, with its type and its unit. */
interface MeasuredValue extends Pick<Observation, "type" | "value"> {
  readonly unit?: string | undefined;
}

type Quantity = NonNullable<FhirMeasurement["valueQuantity"]>;

/** The words of a concept, else its code. */
export const wordsOf = (concept: FhirConcept | undefined): string =>
  concept?.text ?? concept?.coding?.[0]?.display ?? concept?.coding?.[0]?.code ?? "";

/** Reads the value of an Observation or component (FHIR R4, Observation.value[x]); an empty comment without one. */
export function readMeasuredValue(one: FhirMeasurement): MeasuredValue {
  const { valueQuantity, valueInteger, valueRange, valueRatio, valueCodeableConcept } = one;
  if (valueQuantity?.value !== undefined) {
    const { comparator = "", value } = valueQuantity;
    return { type: "numeric", value: `${comparator}${value.text}`, unit: unitOf(valueQuantity) };
  }
  if (valueInteger !== undefined) return { type: "numeric", value: String(valueInteger) };
  if (valueRange) {
    const { low, high } = valueRange;
    return { type: "range", value: `${textOf(low)}-${textOf(high)}`, unit: unitOf(low) ?? unitOf(high) };
  }
  if (valueRatio) {
    const { numerator, denominator } = valueRatio;
    return { type: "comment", value: `${numerator?.comparator ?? ""}${textOf(numerator)}:${textOf(denominator)}` };
  }
  if (valueCodeableConcept) return { type: "coded_value", value: wordsOf(valueCodeableConcept) };
  return { type: "comment", value: readText(one) };
}

const textOf = (quantity: Quantity | undefined) => quantity?.value?.text ?? "";
const unitOf = (quantity: Quantity | undefined) => quantity?.code ?? quantity?.unit;

function readText({ valueString, valueBoolean, valueTime, valueDateTime, valuePeriod }: FhirMeasurement): string {
  if (valueBoolean !== undefined) return valueBoolean ? "yes" : "no";
  if (valuePeriod) return `${valuePeriod.start ?? ""} to ${valuePeriod.end ?? ""}`.trim();
  return valueString ?? valueTime ?? valueDateTime ?? "";
}
