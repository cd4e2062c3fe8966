import { type LabReport, ReportRefused } from "../../domain/results/lab-report.ts";
import type { Log } from "../../runtime/log.ts";
import { type ReceiveReportDependencies, receiveReport } from "./receive-report.ts";

/** The reports of a message; `control` is the laboratory's message number. */
interface MessageReports {
  readonly reports: readonly LabReport[];
  readonly control: string;
}

/**
 * Receives the reports of a message in order, and stops at the first refused report. Its refusal answers the message.
 * When the laboratory resends the message, the earlier reports are already known.
 * @returns the reason of the refusal; undefined if all reports were received.
 */
export async function receiveMessageReports(
  receiver: Parameters<typeof receiveReport>[0],
  { reports, control }: MessageReports,
  deps: ReceiveReportDependencies,
  log: Log,
): Promise<string | undefined> {
  for (const [place, report] of reports.entries()) {
    const numbered = { report, control: place === 0 ? control : `${control}#${place}` };
    try {
      log.info("report received", { lab: report.lab, ...(await receiveReport(receiver, numbered, deps)) });
    } catch (error) {
      if (!(error instanceof ReportRefused)) throw error;
      log.warn("report refused", { lab: report.lab });
      return error.message;
    }
  }
  return undefined;
}
