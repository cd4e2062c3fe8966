import * as z from "zod";
import { openEnum } from "../../contract/open-enum.ts";
import { interpretations } from "../orders/wire-order.ts";

const text = z.string().nullable();
const number = z.number().nullable();
const flag = z.boolean().nullable();
const sex = openEnum(["male", "female", "other"]);

export const failureReasons = [
  "invalid_input",
  "low_quality",
  "not_english",
  "too_many_pages",
  "processing_error",
] as const;
const sampleTypes = ["urine", "serum_plasma_blood", "capillary_blood", "stool", "saliva", "other", "unknown"];

const metadata = z.object({
  patient_first_name: text.meta({ phi: true }),
  patient_last_name: text.meta({ phi: true }),
  dob: text.meta({ phi: true }),
  gender: sex.meta({ phi: true }),
  lab_name: text,
  date_reported: text,
  date_collected: text,
  specimen_number: text,
});

/** A LOINC candidate of a row. */
export const loincMatch = z.object({
  loinc_code: z.string(),
  loinc_name: z.string(),
  display_name: z.string(),
  aliases: z.array(z.string()),
  confidence_score: z.number(),
});

const result = z.object({
  test_name: z.string(),
  value: z.string(),
  sample_type: openEnum(sampleTypes),
  measurement_kind: openEnum(["direct", "calculated", "ratio", "unknown"]),
  type: openEnum(["numeric", "range", "comment", "boolean", "duration", "percentage", "ratio"]).nullable(),
  units: text,
  max_reference_range: number,
  min_reference_range: number,
  source_panel_name: text,
  sensitivity: openEnum(["sensitive", "insensitive", "unknown"]),
  loinc_matches: z.array(loincMatch).max(5).nullable(),
  loinc_match_status: openEnum(["auto_match", "needs_review", "no_match"]).nullable(),
  interpretation: openEnum(interpretations).nullable(),
  is_above_max_range: flag,
  is_below_min_range: flag,
});

/** The data of a lab report: its metadata, and its rows in order. */
export const reportData = z.object({ metadata, results: z.array(result) });
export type ReportData = z.output<typeof reportData>;

/** A parsing job in API responses and events. */
export const wireParsingJob = z
  .object({
    id: z.guid(),
    job_id: z.guid().describe("The `id` again, for clients that know it by this name"),
    status: openEnum(["upload_pending", "started", "completed", "failed", "pending_review"]),
    failure_reason: openEnum(failureReasons).nullable(),
    data: reportData.nullable(),
    needs_human_review: z.boolean(),
    is_reviewed: z.boolean(),
  })
  .meta({ id: "ParsingJob" });

/** Patient, laboratory and dates of a report. */
export type ReportMetadata = z.input<typeof metadata>;

/** A row of a report. */
export type ReportResult = z.input<typeof result>;

/** A LOINC candidate of a row. */
export type LoincMatch = z.input<typeof loincMatch>;

/** A parsing job. */
export type ParsingJob = z.output<typeof wireParsingJob>;
