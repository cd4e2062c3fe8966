import * as z from "zod";
import { getItem } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { matchTests, orders, users } from "../../lib/contract/resources.ts";
import { noFields } from "../../lib/contract/shared-schemas.ts";
import { wireMatchTest } from "../../lib/domain/results/match-test.ts";
import { NotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { requireSandboxRoute } from "../../lib/services/lab-work/plan-simulation-tasks.ts";
import { loadWireMatchTest } from "../../lib/services/results/load-wire-match-test.ts";

export const contract = endpoint({
  operationId: "getUnmatchedResultTest",
  method: "GET",
  path: "/v3/unmatched_result_test/{run_id}",
  tag: "unmatched-results",
  summary: "Retrieve a test of an unmatched result",
  description: [
    "Returns the progress of a test, and once it has succeeded, the unmatched result in `raw_result_id`.",
    "Poll it until `status` is `succeeded` or `failed`; `error` then gives the reason of a failure.",
    "`orders` has the orders of the test by role, except those of deleted users.",
    "Production returns `not_found`.",
  ],
  auth: "team",
  params: z.object({ run_id: z.guid().toLowerCase().describe("Id of the test") }),
  query: noFields,
  response: wireMatchTest,
  errors: [NotFound],
  access: [getItem(matchTests), getItem(orders), getItem(users)],
});

export const handler = implement(contract, async ({ scope, params }, deps) => {
  requireSandboxRoute();
  const test = await deps.matchTests.get(scope, params.run_id);
  if (!test) throw new NotFound("There is no test of an unmatched result with this id.");
  return loadWireMatchTest(scope, test, deps);
});
