import { createHash } from "node:crypto";
import type { ResultType } from "./wire-result.ts";

/**
 * Report of a laboratory, independent of its format. The adapters produce it; matching and results depend only on it.
 */
export interface LabReport {
  /** Slug of the laboratory. */
  readonly lab: string;
  /** The laboratory's report number; a repeated report has the same number. */
  readonly report_id: string;
  /** `withdrawn`: the laboratory has entered the report in error, with all its values. */
  readonly status: "partial" | "final" | "corrected" | "withdrawn";
  /** Requisition number, which identifies the order. */
  readonly requisition: string | null;
  readonly sample_id: string | null;
  /** Account number at the laboratory. */
  readonly account_number: string | null;
  readonly patient: ReportedPatient;
  /** ISO 8601. */
  readonly collected_at: string | null;
  readonly received_at: string | null;
  readonly reported_at: string;
  /** When the message was sent, ISO 8601. It orders reports of one time, as laboratories often correct without a new time. */
  readonly sent_at?: string;
  readonly clia_number: string | null;
  readonly laboratory_name: string | null;
  readonly observations: readonly Observation[];
}

/** Whether a report only states progress, such as that the laboratory has received the order: it has no value yet. */
export const isProgressReport = ({ status, observations }: LabReport): boolean =>
  status === "partial" && observations.length === 0;

/** Patient, as the laboratory reports them. */
export interface ReportedPatient {
  readonly first_name: string | null;
  /** The further given names, if the laboratory writes them apart. */
  readonly middle_names?: string;
  readonly last_name: string | null;
  /** YYYY-MM-DD. */
  readonly dob: string | null;
  readonly gender: "female" | "male" | "other" | "unknown" | null;
  readonly patient_id: string | null;
}

/** Observation: one value of a report. */
export interface Observation {
  /** The laboratory's code of the observation. */
  readonly code: string;
  readonly loinc: string | null;
  /** Tells further observations of one code apart, such as isolates of a culture; absent for the first. */
  readonly sub_id?: string;
  readonly name: string;
  /** The laboratory's code of the ordered test. */
  readonly test_code: string | null;
  readonly type: ResultType;
  readonly value: string;
  readonly unit: string | null;
  readonly reference_range: string | null;
  /** The laboratory's own flags, such as H, LL or A, separated by `~`; empty for none. */
  readonly flag: string;
  /** `cancelled`: the laboratory will not report a value. `withdrawn`: what it reported before was wrong. */
  readonly status: "preliminary" | "final" | "corrected" | "cancelled" | "withdrawn";
  readonly note: string | null;
  readonly performing_laboratory: string | null;
}

/** A report cannot be read. The message gives the reason and repeats no content of the report. */
export class ReportRefused extends Error {
  override readonly name = "ReportRefused";
}

/**
 * Digest of the content of a report: SHA-256, hex. A message that is sent again may have a new time. Earlier versions read no
 * middle names, and a repeated message must keep its digest.
 */
export function digestReport({ sent_at: _, ...report }: LabReport): string {
  const { middle_names: __, ...patient } = report.patient;
  return createHash("sha256")
    .update(JSON.stringify({ ...report, patient }))
    .digest("hex");
}

/**
 * Digest of a message with a report. Earlier versions took the number of a message for that of the sample if it had no
 * other. A repeated message must keep its digest. @param control number of the message.
 */
export function digestMessage(report: LabReport, control: string): string {
  const isUnnumbered = report.sample_id === null && control.split("#", 1)[0] === report.report_id;
  return digestReport(isUnnumbered ? { ...report, sample_id: report.report_id } : report);
}
