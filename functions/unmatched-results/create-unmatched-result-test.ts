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
 * Has a sandbox try what happens to a report that fits no order. Its id follows from the idempotency key; while it waits,
 * repeating the request has the consumer told again, since the first message may have been lost.
 */
export const contract = endpoint({
  operationId: "createUnmatchedResultTest",
  method: "POST",
  path: "/v3/unmatched_result_test",
  tag: "unmatched-results",
  summary: "Try an unmatched result in a sandbox",
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
  if (test.digest !== of.digest) throw new Conflict("This idempotency key came with another body before.");
  if (test.completed_at === null) await matchTestRuns.send(matchTestMessage.parse(test));
  // As at first, however far it is by now.
  return { run_id, status: "queued" };
});
