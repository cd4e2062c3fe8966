import { getItem, getObject } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { labReports, reportFiles, users } from "../../lib/contract/resources.ts";
import { noFields } from "../../lib/contract/shared-schemas.ts";
import { wireReview } from "../../lib/domain/lab-reports/wire-review.ts";
import { NotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { loadReview } from "../../lib/services/lab-reports/load-review.ts";

/** Returns the lab report of a review link: its pages, the recognized values, and the reasons for the review. */
export const contract = endpoint({
  operationId: "getReview",
  method: "GET",
  path: "/lab_report/v1/review/report",
  tag: "lab-reports",
  summary: "Retrieve a lab report under review",
  auth: "review",
  params: noFields,
  query: noFields,
  response: wireReview,
  errors: [NotFound],
  access: [getItem(users), getItem(labReports), getObject(reportFiles)],
});

export const handler = implement(contract, (caller, deps) => loadReview(caller, deps));
