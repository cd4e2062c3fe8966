import { type ReportContent, type ReportJob, toWireJob } from "../../domain/lab-reports/report-job.ts";
import type { UserRecord } from "../../domain/users/user.ts";
import { composeEvent, type NewEvent } from "./compose-event.ts";

/** Returns the event for the state of a parsing job after a change. The first event announces the submission. */
export function labReportEvent(user: UserRecord, job: ReportJob, read: ReportContent | undefined): NewEvent {
  const type = job.version === 1 ? "lab_report.parsing_job.created" : "lab_report.parsing_job.updated";
  return composeEvent(user, type, job.id, job.version, toWireJob(job, read));
}
