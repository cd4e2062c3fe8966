import * as z from "zod";
import { get } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { nothing } from "../../lib/contract/parts.ts";
import { matchTests, orders, users } from "../../lib/contract/resources.ts";
import { wireMatchTest } from "../../lib/domain/match-reviews/match-test.ts";
import { NotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { shownMatchTest } from "../../lib/runtime/results/shown-match-test.ts";
import { requireTrials } from "../../lib/runtime/simulating.ts";

/** Returns the status of a test of an unmatched result, and the result that it created. */
export const contract = endpoint({
  operationId: "getUnmatchedResultTest",
  method: "GET",
  path: "/v3/unmatched_result_test/{run_id}",
  tag: "unmatched-results",
  summary: "Retrieve a test of an unmatched result",
  auth: "team",
  params: z.object({ run_id: z.guid().toLowerCase() }),
  query: nothing,
  response: wireMatchTest,
  errors: [NotFound],
  access: [get(matchTests), get(orders), get(users)],
});

export const handler = implement(contract, async ({ scope, params }, uses) => {
  requireTrials();
  const test = await uses.matchTests.get(scope, params.run_id);
  if (!test) throw new NotFound("There is no test of an unmatched result with this id.");
  return shownMatchTest(scope, test, uses);
});
