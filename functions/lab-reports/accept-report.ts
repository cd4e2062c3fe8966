import { endpoint } from "../../lib/contract/endpoint.ts";
import { noFields } from "../../lib/contract/shared-schemas.ts";
import { wireParsingJob } from "../../lib/domain/lab-reports/wire-parsing-job.ts";
import { acceptance } from "../../lib/domain/lab-reports/wire-review.ts";
import { Conflict, NotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { acceptReport, acceptReportAccess } from "../../lib/services/lab-reports/accept-report.ts";

export const contract = endpoint({
  operationId: "acceptReport",
  method: "POST",
  path: "/lab_report/v1/review/accept",
  tag: "lab-reports",
  summary: "Accept a lab report with corrections",
  description: [
    "Accepts the lab report of a review link with the reviewer's rows, which replace those that the parser read.",
    "The review page calls it; the caller authenticates with the secret of the link.",
    "`version` must be that of the report as shown; an accepted or changed report returns `conflict`.",
    "Later reports of the team recognise the test names that the reviewer assigned, up to 80 per acceptance.",
    "The job becomes `completed` with `is_reviewed`, and `lab_report.parsing_job.updated` follows.",
    "An invalid correction returns `validation_failed` with its location.",
  ],
  auth: "review",
  params: noFields,
  query: noFields,
  body: acceptance,
  response: wireParsingJob,
  errors: [NotFound, Conflict],
  access: acceptReportAccess,
});

export const handler = implement(contract, ({ body, ...caller }, deps) => acceptReport(caller, body, deps));
