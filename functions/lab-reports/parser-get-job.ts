import { getItem } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { labReports, users } from "../../lib/contract/resources.ts";
import { noFields } from "../../lib/contract/shared-schemas.ts";
import { reportParams, toWireJob } from "../../lib/domain/lab-reports/report-job.ts";
import { wireParsingJob } from "../../lib/domain/lab-reports/wire-parsing-job.ts";
import { NotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { findReport } from "../../lib/services/lab-reports/find-report.ts";

export const contract = endpoint({
  operationId: "parserGetJob",
  method: "GET",
  path: "/lab_report/v1/parser/job/{job_id}",
  tag: "lab-reports",
  summary: "Retrieve a parsing job",
  description: [
    "Returns the status of a parsing job, and the parsed report in `data` once it is `completed`.",
    "Poll it until it is `completed`, `pending_review` or `failed`, or wait for `lab_report.parsing_job.updated`.",
    "`pending_review` ends with the acceptance on the page of a review link; until then `data` is null.",
    "`failure_reason` says why a job failed; create another job to try again.",
    "An upload that was not started within an hour, and a report of a deleted user, return `not_found`.",
  ],
  auth: "team",
  feature: "lab_report_parsing",
  params: reportParams,
  query: noFields,
  response: wireParsingJob,
  errors: [NotFound],
  access: [getItem(users), getItem(labReports)],
});

export const handler = implement(contract, async ({ scope, params }, deps) => {
  const { job, read } = await findReport(scope, params.job_id, deps);
  return toWireJob(job, read);
});
