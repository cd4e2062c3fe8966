import * as z from "zod";
import { typedOpenEnum } from "../../contract/open-enum.ts";
import { interpretations, wireOrder } from "../orders/wire-order.ts";

const text = z.string().nullable();
const number = z.number().nullable();

/** Known statuses of a result. */
export const resultStatuses = ["final", "partial"] as const;

/** Known types of result values. */
export const resultTypes = ["numeric", "range", "comment", "coded_value"] as const;
export type ResultType = (typeof resultTypes)[number];

/** Known reasons for a missing result. */
const failureTypes = [
  "quantity_not_sufficient_failure",
  "collection_process_failure",
  "drop_off_failure",
  "internal_lab_failure",
  "order_entry_failure",
  "non_failure",
  "unknown_failure",
  "patient_condition_failure",
  "missing_result_calc_failure",
  "missing_demo_aoe_calc_failure",
  "insufficient_volume",
] as const;
export type FailureType = (typeof failureTypes)[number];

const sourceMarker = z.object({
  marker_id: z.int(),
  name: z.string(),
  slug: z.string(),
  provider_id: text,
});
export type SourceMarker = z.output<typeof sourceMarker>;

/** Result of one marker. `value` is the older form of `result`, and -1 for a value that is not a number. */
const biomarkerResult = z
  .object({
    name: z.string(),
    slug: z.string(),
    value: number.meta({ phi: true }),
    result: z.string().meta({ phi: true }),
    type: typedOpenEnum(resultTypes),
    unit: text,
    timestamp: z.iso.datetime({ offset: true }).nullable(),
    notes: text.meta({ phi: true }),
    reference_range: text,
    min_range_value: number,
    max_range_value: number,
    is_above_max_range: z.boolean().nullable(),
    is_below_min_range: z.boolean().nullable(),
    interpretation: typedOpenEnum(interpretations),
    source_interpretation: z.string().describe("The laboratory's own flag"),
    loinc: text,
    loinc_slug: text,
    provider_id: text,
    source_markers: z.array(sourceMarker).nullable(),
    performing_laboratory: text,
    source_sample_id: text,
  })
  .meta({ id: "BiomarkerResult" });
export type BiomarkerResult = z.output<typeof biomarkerResult>;

const missingResult = z
  .object({
    name: z.string(),
    slug: z.string(),
    inferred_failure_type: typedOpenEnum(failureTypes),
    note: text,
    loinc: text,
    loinc_slug: text,
    provider_id: text,
    source_markers: z.array(sourceMarker).nullable(),
  })
  .meta({ id: "MissingBiomarkerResult" });
export type MissingResult = z.output<typeof missingResult>;

const phiText = z.string().meta({ phi: true });

/** Metadata of a whole result. */
export const wireResultMetadata = z
  .object({
    age: phiText,
    dob: phiText,
    "clia_#": text,
    patient: phiText,
    provider: text,
    laboratory: text,
    date_reported: z.string(),
    date_collected: text,
    specimen_number: z.string(),
    date_received: text,
    status: typedOpenEnum(resultStatuses),
    interpretation: text,
    patient_id: text,
    account_id: text,
  })
  .meta({ id: "LabResultMetadata" });

const sample = z.object({
  sample_id: text,
  control_number: text,
  date_collected: text,
  date_received: text,
  date_reported: text,
});

/** Result of an order or a transaction, as returned. */
export const wireResult = z
  .object({
    metadata: wireResultMetadata,
    results: z.array(biomarkerResult),
    missing_results: z.array(missingResult).nullable(),
    sample_information: z.record(z.string(), sample).nullable(),
    order_transaction: wireOrder.shape.order_transaction,
  })
  .meta({ id: "LabResult" });
export type WireResult = z.output<typeof wireResult>;
