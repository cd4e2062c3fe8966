import { channel } from "node:diagnostics_channel";
import type { IncomingLabMessage, LabPartner } from "../../domain/orders/lab-partner.ts";
import type { LabReport } from "../../domain/results/lab-report.ts";
import { readFhirReports } from "../fhir/read-fhir-reports.ts";
import { parseMessage } from "../hl7/message.ts";
import { readOru } from "../hl7/read-oru.ts";
import { syntheticReport } from "./synthetic-report.ts";

/** The diagnostics channel that publishes each submission to a simulated laboratory; drills count them. */
export const SUBMISSION_CHANNEL = "tributary.simulated-partner.submission";
const submissions = channel(SUBMISSION_CHANNEL);

/**
 * A simulated laboratory. It accepts every order and then does nothing until a simulation is requested, so that a
 * sandbox order keeps its status. It cancels every order that can still be cancelled.
 */
export function simulatedPartner(lab: string): LabPartner {
  return {
    lab,
    submit: async ({ requisition }) => {
      submissions.publish({ lab, requisition });
      return { outcome: "received" };
    },
    cancel: async () => "cancelled",
    requisition: async () => undefined,
    readReports: ({ format, text }: IncomingLabMessage): readonly LabReport[] =>
      format === "fhir" ? readFhirReports(text, lab) : readOru(parseMessage(text), lab),
    simulate: syntheticReport,
  };
}
