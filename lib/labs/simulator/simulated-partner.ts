import { channel } from "node:diagnostics_channel";
import type { IncomingMessage, LabPartner } from "../../domain/orders/lab-partner.ts";
import type { LabReport } from "../../domain/results/lab-report.ts";
import { readFhirReports } from "../fhir/read-report.ts";
import { parseMessage } from "../hl7/message.ts";
import { readOru } from "../hl7/read-oru.ts";
import { syntheticReport } from "./synthetic-report.ts";

/** The name of the channel on which each submission to a laboratory that is played is told, for drills to count. */
export const SUBMISSIONS = "tributary.simulated-partner.submission";
const submissions = channel(SUBMISSIONS);

/**
 * A laboratory that is played: it takes every order and then does nothing until a simulation is asked for, so that a
 * sandbox order stays where it is. It can still be cancelled as long as orders can.
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
    readReports: ({ format, text }: IncomingMessage): readonly LabReport[] =>
      format === "fhir" ? readFhirReports(text, lab) : [readOru(parseMessage(text), lab)],
    simulate: syntheticReport,
  };
}
