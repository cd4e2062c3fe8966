import * as z from "zod";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { noFields } from "../../lib/contract/shared-schemas.ts";
import { toWireMatchTestCases, wireMatchTestCase } from "../../lib/domain/results/match-test-cases.ts";
import { NotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { requireSandboxRoute } from "../../lib/services/lab-work/plan-simulation-tasks.ts";

export const contract = endpoint({
  operationId: "listUnmatchedResultTestCases",
  method: "GET",
  path: "/v3/unmatched_result_test/case",
  tag: "unmatched-results",
  summary: "List test cases of unmatched results",
  description: [
    "Lists the cases that a sandbox can test, with the roles and required statuses of their orders.",
    "Call it before `POST /v3/unmatched_result_test` with `order_source` `provided`.",
    "The statuses are those of walk-in orders. Production returns `not_found`.",
  ],
  auth: "team",
  params: noFields,
  query: noFields,
  response: z.object({ data: z.array(wireMatchTestCase) }).meta({ id: "UnmatchedResultTestCases" }),
  errors: [NotFound],
  access: [],
});

export const handler = implement(contract, async () => {
  requireSandboxRoute();
  return { data: toWireMatchTestCases() };
});
