import { getItem, getObject } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { labReports, reportFiles, users } from "../../lib/contract/resources.ts";
import { noFields } from "../../lib/contract/shared-schemas.ts";
import { wireReview } from "../../lib/domain/lab-reports/wire-review.ts";
import { NotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { loadReview } from "../../lib/services/lab-reports/load-review.ts";

export const contract = endpoint({
  operationId: "getReview",
  method: "GET",
  path: "/lab_report/v1/review/report",
  tag: "lab-reports",
  summary: "Retrieve a lab report under review",
  description: [
    "Returns the lab report of a review link: its pages, the rows that the parser read, and the doubts of each row.",
    "`words` of a page is empty for an image, whose bytes come from `GET /lab_report/v1/review/file/{place}/{part}`.",
    "Pass `version` to `POST /lab_report/v1/review/accept`.",
    "After acceptance, it returns the accepted rows while the link is valid.",
  ],
  auth: "review",
  params: noFields,
  query: noFields,
  response: wireReview,
  errors: [NotFound],
  access: [getItem(users), getItem(labReports), getObject(reportFiles)],
});

export const handler = implement(contract, (caller, deps) => loadReview(caller, deps));
