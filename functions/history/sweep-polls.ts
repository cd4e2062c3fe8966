import * as z from "zod";
import { grants, putItem, queryItems, sendMessage } from "../../lib/contract/access.ts";
import { consumer } from "../../lib/contract/consumer.ts";
import { connectionPulls } from "../../lib/contract/queues.ts";
import { bulkSteps, connectionPolls } from "../../lib/contract/resources.ts";
import { consume } from "../../lib/runtime/consume.ts";
import { ports } from "../../lib/runtime/ports.ts";
import { checkDeadlines, checkDeadlinesAccess } from "../../lib/services/connections/health/check-deadlines.ts";
import {
  dispatchDuePolls,
  dispatchDueSteps,
  dispatchDueStepsAccess,
} from "../../lib/services/connections/pulls/dispatch-due-polls.ts";
import { TeamScope } from "../../lib/store/team-scope.ts";

/**
 * Starts the polls of due connections: those of providers that send no pushes, and those without pushes for a long
 * time. Also starts due steps of bulk operations, as fast as the rate limits of providers allow, and checks connections
 * whose deadline for new data is over.
 */
export const contract = consumer({
  operationId: "sweepPolls",
  tag: "history",
  summary: "Poll due connections, and check those without data",
  trigger: { kind: "schedule", rate: { minutes: 1 } },
  message: z.unknown(),
  access: grants(
    [queryItems(connectionPolls, "due"), putItem(connectionPolls), sendMessage(connectionPulls)],
    queryItems(bulkSteps, "due"),
    dispatchDueStepsAccess,
    checkDeadlinesAccess,
  ),
  timeoutS: 55,
});

export const handler = consume(contract, async ({ log }, deps) => {
  const all = [
    await dispatchDuePolls(deps, await deps.connectionPolls.listDue(ports().clock.now()), TeamScope.grant),
    await dispatchDueSteps(deps, await deps.bulkSteps.listUpcoming(), TeamScope.grant),
    await checkDeadlines(deps, TeamScope.grant, log),
  ];
  const nextDueAt = all.flatMap((one) => one.nextDueAt ?? []).toSorted();
  return { started: all.reduce((sum, { started }) => sum + started, 0), next_due_at: nextDueAt[0] ?? null };
});
