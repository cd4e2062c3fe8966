import { get, load } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { nothing } from "../../lib/contract/parts.ts";
import { labReports, reportFiles, users } from "../../lib/contract/resources.ts";
import { wireReview } from "../../lib/domain/lab-reports/wire-review.ts";
import { NotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { showReport } from "../../lib/runtime/lab-reports/showing-reports.ts";

/** Returns the lab report of a review link: its pages, the recognized values, and the reasons for the review. */
export const contract = endpoint({
  operationId: "getReview",
  method: "GET",
  path: "/lab_report/v1/review/report",
  tag: "lab-reports",
  summary: "Retrieve a lab report under review",
  auth: "review",
  params: nothing,
  query: nothing,
  response: wireReview,
  errors: [NotFound],
  access: [get(users), get(labReports), load(reportFiles)],
});

export const handler = implement(contract, (caller, uses) => showReport(caller, uses));
