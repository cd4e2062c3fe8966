import { get, put, send } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { nothing } from "../../lib/contract/parts.ts";
import { matchTestRuns } from "../../lib/contract/queues.ts";
import { matchTests } from "../../lib/contract/resources.ts";
import { sha256 } from "../../lib/crypto/api-key.ts";
import { nameUuid } from "../../lib/crypto/name-uuid.ts";
import {
  matchTestDraft,
  matchTestMessage,
  newMatchTest,
  refusedMatchTest,
  wireStartedMatchTest,
} from "../../lib/domain/match-reviews/match-test.ts";
import { Conflict, NotFound, ValidationFailed } from "../../lib/runtime/errors.ts";
import { requireIdempotencyKey } from "../../lib/runtime/idempotency.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { isoNow } from "../../lib/runtime/ports.ts";
import { requireTrials } from "../../lib/runtime/simulating.ts";

/**
 * Starts a sandbox test of a report that matches no order. The test's id derives from the idempotency key. While the
 * test waits, a repeated request sends its message again, because the first one may be lost.
 */
export const contract = endpoint({
  operationId: "createUnmatchedResultTest",
  method: "POST",
  path: "/v3/unmatched_result_test",
  tag: "unmatched-results",
  summary: "Create a test of an unmatched result",
  auth: "team",
  params: nothing,
  query: nothing,
  body: matchTestDraft,
  response: wireStartedMatchTest,
  status: 202,
  errors: [NotFound, Conflict],
  access: [get(matchTests), put(matchTests), send(matchTestRuns)],
});

export const handler = implement(contract, async ({ scope, body, event }, { matchTests, matchTestRuns }) => {
  requireTrials();
  const key = requireIdempotencyKey(event.headers);
  const problems = refusedMatchTest(body);
  if (problems.length > 0) {
    throw new ValidationFailed(problems.map(({ loc, msg }) => ({ loc, msg, type: "value_error" })));
  }
  const run_id = nameUuid(`unmatched result test ${scope.teamId} ${key}`);
  const of = { run_id, team_id: scope.teamId, digest: sha256(JSON.stringify(body)) };
  const test = await matchTests.open(scope, newMatchTest(body, of, isoNow()));
  if (test.digest !== of.digest) throw new Conflict("This idempotency key was used with a different body.");
  if (test.completed_at === null) await matchTestRuns.send(matchTestMessage.parse(test));
  // A repeated request gets the first response, whatever the current status.
  return { run_id, status: "queued" };
});
