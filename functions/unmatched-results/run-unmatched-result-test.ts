import { check, get, keep, load, put, query, update } from "../../lib/contract/access.ts";
import { consumer } from "../../lib/contract/consumer.ts";
import { matchTestRuns } from "../../lib/contract/queues.ts";
import {
  labAccounts,
  labMessages,
  labTests,
  matchReviews,
  matchTests,
  orderPlacements,
  orders,
  outbox,
  quotas,
  reservations,
  results,
  teams,
  users,
} from "../../lib/contract/resources.ts";
import { makingUserKeys } from "../../lib/contract/sealed.ts";
import { matchTestMessage } from "../../lib/domain/match-reviews/match-test.ts";
import { partnersOf } from "../../lib/labs/partners.ts";
import { consume } from "../../lib/runtime/consume.ts";
import { deployment } from "../../lib/runtime/deployment.ts";
import { runMatchTest } from "../../lib/runtime/results/match-tests.ts";
import { TeamScope } from "../../lib/store/team-scope.ts";

/** Runs tests of unmatched results. A repeated run after an interruption produces the same orders and review. */
export const contract = consumer({
  operationId: "runUnmatchedResultTest",
  tag: "unmatched-results",
  summary: "Run a test of an unmatched result",
  trigger: { kind: "queue", queue: matchTestRuns, batchSize: 1, maxConcurrency: 5 },
  message: matchTestMessage,
  access: [
    get(teams),
    get(users),
    check(users),
    put(users),
    ...makingUserKeys,
    get(reservations),
    put(reservations),
    update(quotas),
    get(labTests),
    query(labAccounts),
    get(orders),
    put(orders),
    query(orders, "team_orders"),
    keep(orderPlacements),
    load(orderPlacements),
    get(results),
    put(results),
    put(outbox),
    get(matchReviews),
    put(matchReviews),
    get(labMessages),
    put(labMessages),
    get(matchTests),
    put(matchTests),
  ],
});

export const handler = consume(contract, async ({ message }, uses) => {
  const scope = TeamScope.grant(message.team_id);
  const [team, test] = await Promise.all([uses.teams.get(message.team_id), uses.matchTests.get(scope, message.run_id)]);
  if (!team || !test || test.completed_at !== null) return;
  await runMatchTest({ scope, team }, test, { ...uses, findPartner: partnersOf(deployment().environment) });
});
