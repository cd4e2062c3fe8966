import { check, get, put, query, remove, update } from "../../lib/contract/access.ts";
import { consumer } from "../../lib/contract/consumer.ts";
import { queryRuns } from "../../lib/contract/queues.ts";
import {
  chunks,
  continuousQueries,
  outbox,
  queryResults,
  queryTasks,
  sourcePriorities,
  summaries,
  teams,
  usage,
  users,
} from "../../lib/contract/resources.ts";
import { underUserKeys } from "../../lib/contract/sealed.ts";
import { queryTaskMessage } from "../../lib/domain/continuous-queries/query-task.ts";
import { consume } from "../../lib/runtime/consume.ts";
import { runTask } from "../../lib/runtime/continuous-queries/running.ts";
import { TeamBudget } from "../../lib/runtime/team-budget.ts";
import { TeamScope } from "../../lib/store/team-scope.ts";

/** Recomputes the changed part of a continuous query's result for one user. */
export const contract = consumer({
  operationId: "runContinuousQuery",
  tag: "aggregation",
  summary: "Run a continuous query for a user",
  trigger: { kind: "queue", queue: queryRuns, batchSize: 1, maxConcurrency: 20 },
  message: queryTaskMessage,
  access: [
    get(users),
    check(users),
    get(continuousQueries),
    get(sourcePriorities),
    get(queryTasks),
    put(queryTasks),
    query(chunks),
    ...underUserKeys,
    query(summaries),
    query(summaries, "by_day"),
    query(queryResults),
    put(queryResults),
    remove(queryResults),
    put(outbox),
    get(teams),
    update(usage),
  ],
  memoryMb: 1769,
  timeoutS: 240,
});

export const handler = consume(contract, ({ message, log }, uses) => {
  const scope = TeamScope.grant(message.team_id);
  return runTask(scope, message, { ...uses, budget: new TeamBudget(uses, scope, log) });
});
