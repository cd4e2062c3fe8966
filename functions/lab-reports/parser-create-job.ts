import { check, get, keep, put, send, update } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { nothing } from "../../lib/contract/parts.ts";
import { reportParses } from "../../lib/contract/queues.ts";
import { labReports, outbox, reportFiles, users } from "../../lib/contract/resources.ts";
import { reportForm } from "../../lib/domain/lab-reports/report-form.ts";
import { wireParsingJob } from "../../lib/domain/lab-reports/wire-parsing-job.ts";
import { checkReport } from "../../lib/labs/reports/check-report.ts";
import { NotPossible, QuotaReached, ReportRefused, UserNotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { readReportForm } from "../../lib/runtime/lab-reports/reading-form.ts";
import { submitReport } from "../../lib/runtime/lab-reports/submitting.ts";

/**
 * Accepts the files of a lab report and starts parsing. Upload larger files to presigned URLs (docs/lab-reports.md).
 */
export const contract = endpoint({
  operationId: "parserCreateJob",
  method: "POST",
  path: "/lab_report/v1/parser/job",
  tag: "lab-reports",
  summary: "Create a parsing job for a lab report",
  auth: "team",
  feature: "lab_report_parsing",
  params: nothing,
  query: nothing,
  form: reportForm,
  response: wireParsingJob,
  errors: [UserNotFound, NotPossible, ReportRefused, QuotaReached],
  access: [
    get(users),
    check(users),
    get(labReports),
    put(labReports),
    update(labReports),
    put(outbox),
    keep(reportFiles),
    send(reportParses),
  ],
  memoryMb: 1024,
});

export const handler = implement(contract, async ({ scope, team, log, work, event }, uses) =>
  submitReport({ scope, team, log, work }, await readReportForm(event), uses, checkReport),
);
