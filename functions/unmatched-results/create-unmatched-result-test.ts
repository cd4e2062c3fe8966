import { getItem, putItem, sendMessage } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { matchTestRuns } from "../../lib/contract/queues.ts";
import { matchTests } from "../../lib/contract/resources.ts";
import { noFields } from "../../lib/contract/shared-schemas.ts";
import { sha256 } from "../../lib/crypto/api-key.ts";
import {
  checkMatchTest,
  matchTestDraft,
  matchTestMessage,
  newMatchTest,
  wireStartedMatchTest,
} from "../../lib/domain/results/match-test.ts";
import { nameUuid } from "../../lib/domain/shared/name-uuid.ts";
import { Conflict, NotFound, ValidationFailed } from "../../lib/runtime/errors.ts";
import { requireIdempotencyKey } from "../../lib/runtime/http/idempotency.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { isoNow } from "../../lib/runtime/ports.ts";
import { requireSandboxRoute } from "../../lib/services/lab-work/plan-simulation-tasks.ts";

/** While the test waits, a repeated request sends its message again, because the first one may be lost. */
export const contract = endpoint({
  operationId: "createUnmatchedResultTest",
  method: "POST",
  path: "/v3/unmatched_result_test",
  tag: "unmatched-results",
  summary: "Create a test of an unmatched result",
  description: [
    "Starts a test in a sandbox: a report arrives that matches no order, for the reason in `case`.",
    "The status is 202, and the test runs asynchronously: poll `GET /v3/unmatched_result_test/{run_id}`.",
    "With `order_source` `managed` the service creates the orders of the case, and with `provided` you name them.",
    "`X-Idempotency-Key` (1 to 255 characters) is required, and `run_id` derives from it.",
    "The same key and body return the same run, and another body returns `conflict`.",
    "The event `labtest.match_review.created` follows, as for a real report. Production returns `not_found`.",
  ],
  auth: "team",
  params: noFields,
  query: noFields,
  body: matchTestDraft,
  response: wireStartedMatchTest,
  status: 202,
  errors: [NotFound, Conflict],
  access: [getItem(matchTests), putItem(matchTests), sendMessage(matchTestRuns)],
});

export const handler = implement(contract, async ({ scope, body, event }, { matchTests, matchTestRuns }) => {
  requireSandboxRoute();
  const key = requireIdempotencyKey(event.headers);
  const problems = checkMatchTest(body);
  if (problems.length > 0) {
    throw new ValidationFailed(problems.map(({ loc, msg }) => ({ loc, msg, type: "value_error" })));
  }
  const run_id = nameUuid(`unmatched result test ${scope.teamId} ${key}`);
  const identity = { run_id, team_id: scope.teamId, digest: sha256(JSON.stringify(body)) };
  const test = await matchTests.getOrCreate(scope, newMatchTest(body, identity, isoNow()));
  if (test.digest !== identity.digest) throw new Conflict("This idempotency key was used with a different body.");
  if (test.completed_at === null) await matchTestRuns.send(matchTestMessage.parse(test));
  // A repeated request gets the first response, whatever the current status.
  return { run_id, status: "queued" as const };
});
