import { observationKey } from "../results/result-record.ts";
import type { BiomarkerResult } from "../results/wire-result.ts";
import { collectedAt, type ReportedOrder } from "./diagnostic-report.ts";
import { orderReference, patientReference, specimenReference, toSpecimen } from "./lab-order.ts";
import { labUnitCode } from "./lab-units.ts";
import { toCategory } from "./measure.ts";
import { resultObservationId } from "./observation-id.ts";
import type { CodeableConcept, Observation, ObservationValue, Quantity, ReferenceRange } from "./resources.ts";
import { systems } from "./systems.ts";

const NUMBER = /^(<=|>=|<|>)?\s*(-?\d+(?:\.\d+)?)$/;
const RANGE = /^(-?\d+(?:\.\d+)?)\s*-\s*(-?\d+(?:\.\d+)?)$/;

/** Converts the values of an order's result to Observations. The codes of the laboratory stay beside LOINC. */
export function toResultObservations(reported: ReportedOrder): Observation[] {
  const { order, record, result } = reported;
  // In the order of `toWireResult`.
  const stored = record.observations.filter(({ status }) => status !== "cancelled");
  const specimen = toSpecimen(order, result) ? { specimen: specimenReference(order) } : {};
  return result.results.flatMap((value, index) => {
    const origin = stored[index];
    if (!origin) return [];
    return {
      resourceType: "Observation" as const,
      id: resultObservationId(order.id, observationKey(origin)),
      basedOn: [orderReference(order)],
      status: origin.status === "cancelled" ? "final" : origin.status,
      category: [toCategory("laboratory")],
      code: toResultConcept(value, origin.code),
      subject: patientReference(order.user_id),
      effectiveDateTime: collectedAt(result),
      ...(value.timestamp ? { issued: value.timestamp } : {}),
      ...(value.performing_laboratory ? { performer: [{ display: value.performing_laboratory }] } : {}),
      ...toResultValue(value),
      ...toInterpretation(value),
      ...(value.notes ? { note: [{ text: value.notes }] } : {}),
      ...specimen,
      ...toReferenceRange(value),
    };
  });
}

function toResultConcept({ loinc, name }: BiomarkerResult, code: string): CodeableConcept {
  const ofLoinc = loinc ? [{ system: systems.loinc, code: loinc }] : [];
  const own = code === loinc || code === "" ? [] : [{ system: systems.labCode, code }];
  const coding = [...ofLoinc, ...own];
  return { ...(coding.length > 0 ? { coding } : {}), text: name };
}

function quantityOf(unit: string | null, value: number): Quantity {
  const code = unit ? labUnitCode(unit) : undefined;
  return { value, ...(unit ? { unit } : {}), ...(code ? { system: systems.ucum, code } : {}) };
}

/** Why a value is absent (FHIR R4, data-absent-reason). */
const unknownValue = {
  dataAbsentReason: { coding: [{ system: systems.absentReason, code: "unknown" }] },
};

function toResultValue({ type, result, unit }: BiomarkerResult): ObservationValue | typeof unknownValue {
  const text = result.trim();
  if (text === "") return unknownValue;
  if (type === "coded_value") return { valueCodeableConcept: { text } };
  if (type === "comment") return { valueString: text };
  const [, comparator, digits] = NUMBER.exec(text) ?? [];
  if (digits !== undefined) {
    const { value, ...rest } = quantityOf(unit, Number(digits));
    return { valueQuantity: { value, ...(comparator ? { comparator } : {}), ...rest } };
  }
  const [low = Number.NaN, high = Number.NaN] = (RANGE.exec(text) ?? []).slice(1).map(Number);
  return low <= high
    ? { valueRange: { low: quantityOf(unit, low), high: quantityOf(unit, high) } }
    : { valueString: text };
}

/** The code of HL7 for an interpretation; critical values are HH, LL or AA. */
function toInterpretation(value: BiomarkerResult): Pick<Observation, "interpretation"> {
  const code = interpretationCode(value);
  return code === undefined ? {} : { interpretation: [{ coding: [{ system: systems.interpretation, code }] }] };
}

function interpretationCode({ interpretation, is_above_max_range, is_below_min_range }: BiomarkerResult) {
  if (interpretation === "normal") return "N";
  if (interpretation !== "abnormal" && interpretation !== "critical") return undefined;
  const direction = is_above_max_range ? "H" : is_below_min_range ? "L" : "A";
  return interpretation === "critical" ? direction.repeat(2) : direction;
}

function toReferenceRange(value: BiomarkerResult): Pick<Observation, "referenceRange"> {
  const { min_range_value: min, max_range_value: max, reference_range: text, unit } = value;
  const range: ReferenceRange = {
    ...(min === null ? {} : { low: quantityOf(unit, min) }),
    ...(max === null ? {} : { high: quantityOf(unit, max) }),
    ...(text ? { text } : {}),
  };
  return Object.keys(range).length > 0 ? { referenceRange: [range] } : {};
}
