import * as z from "zod";
import { sha256 } from "../../crypto/api-key.ts";
import { type LabReport, ReportRefused } from "../../domain/results/lab-report.ts";
import { readFhirReports } from "./read-report.ts";

const issue = z.object({ severity: z.string(), code: z.string(), diagnostics: z.string() });

/** The answer to a message of FHIR R4. */
export const operationOutcome = z
  .object({ resourceType: z.literal("OperationOutcome"), issue: z.array(issue).min(1) })
  .meta({ id: "OperationOutcome" });
type Outcome = z.output<typeof operationOutcome>;

/** What was read of a message; `refusal` says why nothing was. */
export interface ReceivedFhir {
  readonly reports: readonly LabReport[];
  /** The message's own number: that of its Bundle, else one that follows from all of its text. */
  readonly control: string;
  readonly refusal: string | undefined;
}

const numbered = z.object({
  resourceType: z.literal("Bundle"),
  id: z.string().max(200).optional(),
  identifier: z.object({ value: z.string().max(200).optional() }).optional(),
});

/** Reads a message of FHIR R4; one that is refused is answered, never thrown. */
export function receiveFhir(text: string, lab: string): ReceivedFhir {
  try {
    const reports = readFhirReports(text, lab);
    const { data } = numbered.safeParse(JSON.parse(text));
    return { reports, control: data?.identifier?.value || data?.id || sha256(text), refusal: undefined };
  } catch (error) {
    if (!(error instanceof ReportRefused)) throw error;
    return { reports: [], control: "", refusal: error.message };
  }
}

/** That all was taken. */
export const taken: Outcome = {
  resourceType: "OperationOutcome",
  issue: [{ severity: "information", code: "informational", diagnostics: "The message was taken." }],
};

/** That a message was refused, and why. */
export const refused = (why: string): Outcome => ({
  resourceType: "OperationOutcome",
  issue: [{ severity: "error", code: "processing", diagnostics: why }],
});
