import { getObject, listBucket } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { reportUploads } from "../../lib/contract/resources.ts";
import { noFields } from "../../lib/contract/shared-schemas.ts";
import { reportParams } from "../../lib/domain/lab-reports/report-job.ts";
import { wireParsingJob } from "../../lib/domain/lab-reports/wire-parsing-job.ts";
import { checkReportFiles } from "../../lib/labs/reports/check-report-files.ts";
import { NotFound, NotPossible, QuotaReached, ReportRefused, UserNotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { startUploadedReport } from "../../lib/services/lab-reports/open-upload.ts";
import { submitReportAccess } from "../../lib/services/lab-reports/submit-report.ts";

export const contract = endpoint({
  operationId: "startReportUpload",
  method: "POST",
  path: "/lab_report/v1/parser/job/{job_id}/start",
  tag: "lab-reports",
  summary: "Start the parsing of an uploaded lab report",
  description: [
    "Starts parsing a lab report whose files were sent to presigned URLs.",
    "Call it once all files are there; while one is missing, it returns `not_possible`.",
    "A repeated call changes nothing and returns the current job.",
    "The event `lab_report.parsing_job.created` follows, then `lab_report.parsing_job.updated` with the outcome.",
    "An unreadable file returns `report_refused`, and a full sandbox quota of 300 reports `quota_reached`.",
    "An upload that was created more than an hour ago returns `not_found`.",
  ],
  auth: "team",
  feature: "lab_report_parsing",
  params: reportParams,
  query: noFields,
  response: wireParsingJob,
  errors: [NotFound, UserNotFound, NotPossible, ReportRefused, QuotaReached],
  access: [listBucket(reportUploads), getObject(reportUploads), ...submitReportAccess],
  memoryMb: 1024,
});

export const handler = implement(contract, ({ scope, team, log, work, params }, deps) =>
  startUploadedReport({ scope, team, log, work }, params.job_id, deps, checkReportFiles),
);
