import { endpoint } from "../../lib/contract/endpoint.ts";
import { noFields } from "../../lib/contract/shared-schemas.ts";
import { wireParsingJob } from "../../lib/domain/lab-reports/wire-parsing-job.ts";
import { acceptance } from "../../lib/domain/lab-reports/wire-review.ts";
import { Conflict, NotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { acceptReport, acceptReportAccess } from "../../lib/services/lab-reports/accept-report.ts";

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
  params: noFields,
  query: noFields,
  body: acceptance,
  response: wireParsingJob,
  errors: [NotFound, Conflict],
  access: acceptReportAccess,
});

export const handler = implement(contract, ({ body, ...caller }, deps) => acceptReport(caller, body, deps));
