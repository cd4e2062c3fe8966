import * as z from "zod";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { nothing } from "../../lib/contract/parts.ts";
import { wireMatchTestCase, wireMatchTestCases } from "../../lib/domain/match-reviews/match-test-cases.ts";
import { NotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { requireTrials } from "../../lib/runtime/simulating.ts";

/** Lists the cases of unmatched reports that a sandbox can test. */
export const contract = endpoint({
  operationId: "listUnmatchedResultTestCases",
  method: "GET",
  path: "/v3/unmatched_result_test/case",
  tag: "unmatched-results",
  summary: "List test cases of unmatched results",
  auth: "team",
  params: nothing,
  query: nothing,
  response: z.object({ data: z.array(wireMatchTestCase) }).meta({ id: "UnmatchedResultTestCases" }),
  errors: [NotFound],
  access: [],
});

export const handler = implement(contract, async () => {
  requireTrials();
  return { data: wireMatchTestCases() };
});
