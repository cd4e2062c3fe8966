import { getItem, queryItems, sendMessage, updateItem } from "../../lib/contract/access.ts";
import { consumer } from "../../lib/contract/consumer.ts";
import { queryChanges, queryRuns } from "../../lib/contract/queues.ts";
import { continuousQueries, outbox, queryTasks, users } from "../../lib/contract/resources.ts";
import { changedDaysMessage } from "../../lib/events/queries/changed-days-message.ts";
import { consumeBatch } from "../../lib/runtime/consume.ts";
import { markChangedDays } from "../../lib/services/queries/continuous/mark-changed-days.ts";
import { TeamScope } from "../../lib/store/team-scope.ts";

/** Adds the days that a data event or a deletion changed to the tasks of the continuous queries that depend on it. */
export const contract = consumer({
  operationId: "markChangedDays",
  tag: "aggregation",
  summary: "Mark changed days for continuous queries",
  trigger: { kind: "queue", queue: queryChanges, batchSize: 10, maxConcurrency: 20 },
  message: changedDaysMessage,
  access: [
    getItem(users),
    getItem(outbox),
    queryItems(continuousQueries),
    updateItem(queryTasks),
    sendMessage(queryRuns),
  ],
});

export const handler = consumeBatch(contract, (messages, deps) => markChangedDays(messages, TeamScope.grant, deps));
