import { check, get, keep, list, load, put, send, update } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { nothing } from "../../lib/contract/parts.ts";
import { reportParses } from "../../lib/contract/queues.ts";
import { labReports, outbox, reportFiles, reportUploads, users } from "../../lib/contract/resources.ts";
import { reportParams } from "../../lib/domain/lab-reports/report-job.ts";
import { wireParsingJob } from "../../lib/domain/lab-reports/wire-parsing-job.ts";
import { checkReport } from "../../lib/labs/reports/check-report.ts";
import { NotFound, NotPossible, QuotaReached, ReportRefused, UserNotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { startUpload } from "../../lib/runtime/lab-reports/uploading.ts";

/** Starts parsing a lab report whose files were sent to presigned URLs. A repeated request returns the current job. */
export const contract = endpoint({
  operationId: "startReportUpload",
  method: "POST",
  path: "/lab_report/v1/parser/job/{job_id}/start",
  tag: "lab-reports",
  summary: "Start the parsing of an uploaded lab report",
  auth: "team",
  feature: "lab_report_parsing",
  params: reportParams,
  query: nothing,
  response: wireParsingJob,
  errors: [NotFound, UserNotFound, NotPossible, ReportRefused, QuotaReached],
  access: [
    get(users),
    check(users),
    get(labReports),
    put(labReports),
    update(labReports),
    put(outbox),
    list(reportUploads),
    load(reportUploads),
    keep(reportFiles),
    send(reportParses),
  ],
  memoryMb: 1024,
});

export const handler = implement(contract, ({ scope, team, log, work, params }, uses) =>
  startUpload({ scope, team, log, work }, params.job_id, uses, checkReport),
);
