import { grants } from "../../lib/contract/access.ts";
import { consumer } from "../../lib/contract/consumer.ts";
import { queryRuns } from "../../lib/contract/queues.ts";
import { queryTaskMessage } from "../../lib/domain/queries/continuous/query-task.ts";
import { consume } from "../../lib/runtime/consume.ts";
import { runQueryTask, runQueryTaskAccess } from "../../lib/services/queries/continuous/run-query-task.ts";
import { TeamBudget, teamBudgetAccess } from "../../lib/services/usage/team-budget.ts";
import { TeamScope } from "../../lib/store/team-scope.ts";

/** Recomputes the changed part of a continuous query's result for one user. */
export const contract = consumer({
  operationId: "runContinuousQuery",
  tag: "aggregation",
  summary: "Run a continuous query for a user",
  trigger: { kind: "queue", queue: queryRuns, batchSize: 1, maxConcurrency: 20 },
  message: queryTaskMessage,
  access: grants(runQueryTaskAccess, teamBudgetAccess),
  memoryMb: 1769,
  timeoutS: 240,
});

export const handler = consume(contract, ({ message, log }, deps) => {
  const scope = TeamScope.grant(message.team_id);
  return runQueryTask(scope, message, { ...deps, budget: new TeamBudget(deps, scope, log) });
});
