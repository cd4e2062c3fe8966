import { get, query, send, update } from "../../lib/contract/access.ts";
import { consumer } from "../../lib/contract/consumer.ts";
import { queryChanges, queryRuns } from "../../lib/contract/queues.ts";
import { continuousQueries, outbox, queryTasks, users } from "../../lib/contract/resources.ts";
import { eventReference } from "../../lib/events/envelope.ts";
import { consume } from "../../lib/runtime/consume.ts";
import { markChangedDays } from "../../lib/runtime/continuous-queries/marking.ts";
import { TeamScope } from "../../lib/store/team-scope.ts";

/** Adds the days that a data event changed to the tasks of the continuous queries that depend on it. */
export const contract = consumer({
  operationId: "markChangedDays",
  tag: "aggregation",
  summary: "Mark changed days for continuous queries",
  trigger: { kind: "queue", queue: queryChanges, batchSize: 10, maxConcurrency: 20 },
  message: eventReference,
  access: [get(users), get(outbox), query(continuousQueries), update(queryTasks), send(queryRuns)],
});

export const handler = consume(contract, ({ message, log }, uses) =>
  markChangedDays(TeamScope.grant(message.team_id), message, uses, log),
);
