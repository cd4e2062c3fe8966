import { grants, sendMessage } from "../../contract/access.ts";
import { labWork } from "../../contract/queues.ts";
import { type LabReport, ReportRefused } from "../../domain/results/lab-report.ts";
import type { Dependencies } from "../../runtime/dependency-table.ts";
import type { Log } from "../../runtime/log.ts";
import { scheduleOrderTasks } from "../orders/schedule-order-tasks.ts";
import { type ReceiveReportDependencies, receiveAnyReportAccess, receiveReport } from "./receive-report.ts";

/** Grants of {@link receiveMessageReports}. */
export const receiveMessageAccess = grants(receiveAnyReportAccess, sendMessage(labWork));

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
  deps: ReceiveReportDependencies & Dependencies<"appointments" | "orderWork" | "slots" | "labWork">,
  log: Log,
): Promise<string | undefined> {
  for (const [place, report] of reports.entries()) {
    const numbered = { report, control: place === 0 ? control : `${control}#${place}` };
    try {
      const { tasks, ...received } = { tasks: [], ...(await receiveReport(receiver, numbered, deps)) };
      log.info("report received", { lab: report.lab, ...received });
      await scheduleOrderTasks(deps.labWork, tasks, log);
    } catch (error) {
      if (!(error instanceof ReportRefused)) throw error;
      log.warn("report refused", { lab: report.lab });
      return error.message;
    }
  }
  return undefined;
}
