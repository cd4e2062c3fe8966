import type { Observation } from "./lab-report.ts";
import { observationKey, type ResultRecord } from "./result-record.ts";
import type { FailureType, MissingResult, SourceMarker } from "./wire-result.ts";

/** Result that an order is expected to have. */
export interface ExpectedResult {
  readonly name: string;
  readonly slug: string;
  readonly loinc: string;
  readonly loinc_slug: string;
  readonly required: boolean;
  readonly source: SourceMarker;
}

/** Patterns in a laboratory's text that reveal why a value is missing; the first match counts. */
const reasons: readonly (readonly [RegExp, FailureType])[] = [
  [/insufficient volume|low volume|short draw/i, "insufficient_volume"],
  [/quantity not sufficient|\bqns\b|insufficient/i, "quantity_not_sufficient_failure"],
  [/hemoly[sz]|clotted|contaminat|improper|wrong tube|unlabel/i, "collection_process_failure"],
  [/stability|too old|expired specimen|delay/i, "drop_off_failure"],
  [/lipemi|icteric|interfer|patient condition/i, "patient_condition_failure"],
  [/instrument|lab(oratory)? (error|accident)|reagent/i, "internal_lab_failure"],
  [/order(ed)? (in )?error|duplicate order|not ordered/i, "order_entry_failure"],
  [/not calculated|unable to calculate|cannot calculate/i, "missing_result_calc_failure"],
  [/age|sex|gender|ask at order entry/i, "missing_demo_aoe_calc_failure"],
];

/** Infers why a value is missing from the laboratory's text. */
export function inferFailureType(observation: Pick<Observation, "note" | "value"> | undefined): FailureType {
  const text = `${observation?.value ?? ""} ${observation?.note ?? ""}`;
  return reasons.find(([pattern]) => pattern.test(text))?.[1] ?? "unknown_failure";
}

/** Finds the required results without a value. */
export function findMissingResults(record: ResultRecord, expected: readonly ExpectedResult[]): MissingResult[] {
  const byCode = new Map(record.observations.map((value) => [observationKey(value), value]));
  return expected.flatMap((result) => {
    const value = byCode.get(result.loinc);
    if (!result.required || (value && value.status !== "cancelled")) return [];
    return {
      name: result.name,
      slug: result.slug,
      inferred_failure_type: inferFailureType(value),
      note: value?.note ?? null,
      loinc: result.loinc,
      loinc_slug: result.loinc_slug,
      provider_id: result.source.provider_id,
      source_markers: [result.source],
    };
  });
}
