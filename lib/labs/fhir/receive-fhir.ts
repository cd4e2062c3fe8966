import * as z from "zod";
import { sha256 } from "../../crypto/api-key.ts";
import type { OperationOutcome } from "../../domain/fhir/operation-outcome.ts";
import { type LabReport, ReportRefused } from "../../domain/results/lab-report.ts";
import { readFhirReports } from "./read-fhir-reports.ts";

/** The reports of a message, or the reason of its refusal. */
export interface ReceivedFhir {
  readonly reports: readonly LabReport[];
  /** Identifier of the message: that of its Bundle, else a hash of its text. */
  readonly control: string;
  readonly refusal: string | undefined;
}

const identifiedBundle = z.object({
  resourceType: z.literal("Bundle"),
  id: z.string().max(200).optional(),
  identifier: z.object({ value: z.string().max(200).optional() }).optional(),
});

/** Reads a FHIR R4 message. Reports a refusal instead of throwing it. */
export function receiveFhir(text: string, lab: string): ReceivedFhir {
  try {
    const reports = readFhirReports(text, lab);
    const { data } = identifiedBundle.safeParse(JSON.parse(text));
    return { reports, control: data?.identifier?.value || data?.id || sha256(text), refusal: undefined };
  } catch (error) {
    if (!(error instanceof ReportRefused)) throw error;
    return { reports: [], control: "", refusal: error.message };
  }
}

/** Outcome of an accepted message. */
export const acceptedOutcome: OperationOutcome = {
  resourceType: "OperationOutcome",
  issue: [{ severity: "information", code: "informational", diagnostics: "The message was accepted." }],
};

/** Outcome of a refused message, with the reason. */
export const rejectedOutcome = (why: string): OperationOutcome => ({
  resourceType: "OperationOutcome",
  issue: [{ severity: "error", code: "processing", diagnostics: why }],
});
