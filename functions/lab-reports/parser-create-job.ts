import { endpoint } from "../../lib/contract/endpoint.ts";
import { noFields } from "../../lib/contract/shared-schemas.ts";
import { reportForm } from "../../lib/domain/lab-reports/report-form.ts";
import { wireParsingJob } from "../../lib/domain/lab-reports/wire-parsing-job.ts";
import { checkReportFiles } from "../../lib/labs/reports/check-report-files.ts";
import { NotPossible, QuotaReached, ReportRefused, UserNotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { readReportForm } from "../../lib/services/lab-reports/read-report-form.ts";
import { submitReport, submitReportAccess } from "../../lib/services/lab-reports/submit-report.ts";

export const contract = endpoint({
  operationId: "parserCreateJob",
  method: "POST",
  path: "/lab_report/v1/parser/job",
  tag: "lab-reports",
  summary: "Create a parsing job for a lab report",
  description: [
    "Stores the files of a lab report and starts parsing them into rows with LOINC codes.",
    "Send one PDF of up to 30 pages, or up to 8 JPEG or PNG images, with 4,500,000 bytes together.",
    "For up to 10,000,000 bytes, use `POST /lab_report/v1/parser/upload` instead.",
    "Parsing is asynchronous, and the response shows `upload_pending`: poll the job, or wait for the events.",
    "The events are `lab_report.parsing_job.created`, then `lab_report.parsing_job.updated` with the outcome.",
    "An unreadable file returns `report_refused` with the reason, and nothing is stored.",
    "A sandbox team can have 300 reports that have not failed; the next one returns `quota_reached`.",
    "Each call creates another job, also for the same files.",
  ],
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
