import * as z from "zod";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { nothing } from "../../lib/contract/parts.ts";
import { foundLoinc } from "../../lib/domain/lab-reports/wire-review.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { loincSearch } from "../../lib/runtime/lab-reports/accepting-reports.ts";

/** Searches LOINC codes by the test name that a reviewer types. */
export const contract = endpoint({
  operationId: "searchLoinc",
  method: "GET",
  path: "/lab_report/v1/review/loinc",
  tag: "lab-reports",
  summary: "Search LOINC codes during a review",
  auth: "review",
  params: nothing,
  query: z.object({ query: z.string().trim().min(1).max(200) }),
  response: foundLoinc,
  access: [],
});

/** Maximum number of codes in one response. */
const MOST_FOUND = 20;

export const handler = implement(contract, async ({ query }) => ({
  data: (await loincSearch()).search(query.query, MOST_FOUND),
}));
