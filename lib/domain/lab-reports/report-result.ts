import * as z from "zod";
import type { ReportContent, ReportJob } from "./report-job.ts";
import { reportData } from "./wire-parsing-job.ts";

/** The data of a lab report among the results of its user. */
export const reportResult = z
  .object({
    job_id: z.guid(),
    created_at: z.iso.datetime().describe("When the report was submitted"),
    is_reviewed: z.boolean().describe("Whether a person has reviewed the report"),
    data: reportData,
  })
  .meta({ id: "ReportResult" });

/** The result of a completed job. */
export function toReportResult({ job, read }: { readonly job: ReportJob; readonly read: ReportContent | undefined }) {
  const { id: job_id, created_at, is_reviewed } = job;
  return read && { job_id, created_at, is_reviewed, data: read.data };
}
