import { endpoint } from "../../lib/contract/endpoint.ts";
import { noFields } from "../../lib/contract/shared-schemas.ts";
import { reportForm } from "../../lib/domain/lab-reports/report-form.ts";
import { wireParsingJob } from "../../lib/domain/lab-reports/wire-parsing-job.ts";
import { checkReportFiles } from "../../lib/labs/reports/check-report-files.ts";
import { NotPossible, QuotaReached, ReportRefused, UserNotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { readReportForm } from "../../lib/services/lab-reports/read-report-form.ts";
import { submitReport, submitReportAccess } from "../../lib/services/lab-reports/submit-report.ts";

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
  params: noFields,
  query: noFields,
  form: reportForm,
  response: wireParsingJob,
  errors: [UserNotFound, NotPossible, ReportRefused, QuotaReached],
  access: submitReportAccess,
  memoryMb: 1024,
});

export const handler = implement(contract, async ({ scope, team, log, work, event }, deps) =>
  submitReport({ scope, team, log, work }, await readReportForm(event), deps, checkReportFiles),
);
