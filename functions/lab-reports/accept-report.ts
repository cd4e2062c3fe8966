import { check, get, put } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { nothing } from "../../lib/contract/parts.ts";
import { labReports, outbox, reportAliases, users } from "../../lib/contract/resources.ts";
import { wireParsingJob } from "../../lib/domain/lab-reports/wire-parsing-job.ts";
import { acceptance } from "../../lib/domain/lab-reports/wire-review.ts";
import { Conflict, NotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { acceptReport } from "../../lib/runtime/lab-reports/accepting-reports.ts";

/**
 * Accepts the lab report of a review link with the reviewer's corrections. Later reports recognize the test names that
 * the reviewer assigned.
 */
export const contract = endpoint({
  operationId: "acceptReport",
  method: "POST",
  path: "/lab_report/v1/review/accept",
  tag: "lab-reports",
  summary: "Accept a lab report with corrections",
  auth: "review",
  params: nothing,
  query: nothing,
  body: acceptance,
  response: wireParsingJob,
  errors: [NotFound, Conflict],
  access: [get(users), check(users), get(labReports), put(labReports), put(reportAliases), put(outbox)],
});

export const handler = implement(contract, ({ body, ...caller }, uses) => acceptReport(caller, body, uses));
