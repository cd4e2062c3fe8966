import * as z from "zod";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { noFields } from "../../lib/contract/shared-schemas.ts";
import { loincSearchResult } from "../../lib/domain/lab-reports/wire-review.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { loadLoincSearch } from "../../lib/services/lab-reports/accept-report.ts";

export const contract = endpoint({
  operationId: "searchLoinc",
  method: "GET",
  path: "/lab_report/v1/review/loinc",
  tag: "lab-reports",
  summary: "Search LOINC codes during a review",
  description: [
    "Searches LOINC codes by the name of a test, best match first, for a reviewer who assigns a code to a row.",
    "The response has at most 20 codes, among those of the results in the lab catalogue.",
    "The review page calls it; the caller authenticates with the secret of the link.",
  ],
  auth: "review",
  params: noFields,
  query: z.object({ query: z.string().trim().min(1).max(200).describe("Name of a test or a code") }),
  response: loincSearchResult,
  access: [],
});

/** Maximum number of codes in one response. */
const MAX_RESULTS = 20;

export const handler = implement(contract, async ({ query }) => ({
  data: (await loadLoincSearch()).search(query.query, MAX_RESULTS),
}));
