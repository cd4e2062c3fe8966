import * as z from "zod";
import { sha256 } from "../../crypto/api-key.ts";
import { type LabReport, ReportRefused } from "../../domain/results/lab-report.ts";
import { readFhirReports } from "./read-fhir-reports.ts";

const issue = z.object({ severity: z.string(), code: z.string(), diagnostics: z.string() });

/** The response to a FHIR R4 message. */
export const operationOutcome = z
  .object({ resourceType: z.literal("OperationOutcome"), issue: z.array(issue).min(1) })
  .meta({ id: "OperationOutcome" });
type Outcome = z.output<typeof operationOutcome>;

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
export const acceptedOutcome: Outcome = {
  resourceType: "OperationOutcome",
  issue: [{ severity: "information", code: "informational", diagnostics: "The message was accepted." }],
};

/** Outcome of a refused message, with the reason. */
export const rejectedOutcome = (why: string): Outcome => ({
  resourceType: "OperationOutcome",
  issue: [{ severity: "error", code: "processing", diagnostics: why }],
});
