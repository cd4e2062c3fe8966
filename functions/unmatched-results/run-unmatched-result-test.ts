import { getItem, grants } from "../../lib/contract/access.ts";
import { consumer } from "../../lib/contract/consumer.ts";
import { matchTestRuns } from "../../lib/contract/queues.ts";
import { teams } from "../../lib/contract/resources.ts";
import { matchTestMessage } from "../../lib/domain/results/match-test.ts";
import { labPartnersFor } from "../../lib/labs/lab-partners.ts";
import { consume } from "../../lib/runtime/consume.ts";
import { deployment } from "../../lib/runtime/deployment.ts";
import { runMatchTest, runMatchTestAccess } from "../../lib/services/results/run-match-test.ts";
import { TeamScope } from "../../lib/store/team-scope.ts";

/** Runs tests of unmatched results. A repeated run after an interruption produces the same orders and review. */
export const contract = consumer({
  operationId: "runUnmatchedResultTest",
  tag: "unmatched-results",
  summary: "Run a test of an unmatched result",
  trigger: { kind: "queue", queue: matchTestRuns, batchSize: 1, maxConcurrency: 5 },
  message: matchTestMessage,
  access: grants(getItem(teams), runMatchTestAccess),
});

export const handler = consume(contract, async ({ message }, deps) => {
  const scope = TeamScope.grant(message.team_id);
  const [team, test] = await Promise.all([deps.teams.get(message.team_id), deps.matchTests.get(scope, message.run_id)]);
  if (!team || !test || test.completed_at !== null) return;
  await runMatchTest({ scope, team }, test, { ...deps, findPartner: labPartnersFor(deployment().environment) });
});
