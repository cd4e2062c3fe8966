import { type LabReport, ReportRefused } from "../../domain/results/lab-report.ts";
import type { Log } from "../log.ts";
import { type TakingUses, takeReport } from "./taking-reports.ts";

/** The reports of a message, under the laboratory's own number of the message. */
interface ReportsOfMessage {
  readonly reports: readonly LabReport[];
  readonly control: string;
}

/**
 * Takes the reports of a message one after the other. One that is refused stops the rest: the message is answered by its
 * refusal, and those before it are known when the message comes again.
 * @returns why it was refused; undefined where all were taken.
 */
export async function takeAll(
  receiver: Parameters<typeof takeReport>[0],
  { reports, control }: ReportsOfMessage,
  uses: TakingUses,
  log: Log,
): Promise<string | undefined> {
  for (const [place, report] of reports.entries()) {
    const numbered = { report, control: place === 0 ? control : `${control}#${place}` };
    try {
      log.info("report taken", { lab: report.lab, ...(await takeReport(receiver, numbered, uses)) });
    } catch (error) {
      if (!(error instanceof ReportRefused)) throw error;
      log.warn("report refused", { lab: report.lab });
      return error.message;
    }
  }
  return undefined;
}
