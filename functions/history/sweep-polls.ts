import * as z from "zod";
import { startPolls, startSteps } from "../../lib/connections/starting-pulls.ts";
import { put, query, send, update } from "../../lib/contract/access.ts";
import { consumer } from "../../lib/contract/consumer.ts";
import { bulkWork, connectionPulls } from "../../lib/contract/queues.ts";
import { bulkSteps, connectionPolls, throttles } from "../../lib/contract/resources.ts";
import { consume } from "../../lib/runtime/consume.ts";
import { TeamScope } from "../../lib/store/team-scope.ts";

/**
 * Starts the polls of due connections: those of providers that send no pushes, and those without pushes for a long
 * time. Also starts due steps of bulk operations, as fast as the rate limits of providers allow.
 */
export const contract = consumer({
  operationId: "sweepPolls",
  tag: "history",
  summary: "Poll due connections",
  trigger: { kind: "schedule", rate: { minutes: 1 } },
  message: z.unknown(),
  access: [
    ...([query(connectionPolls, "due"), put(connectionPolls), query(bulkSteps, "due"), update(bulkSteps)] as const),
    ...([update(throttles), send(connectionPulls), send(bulkWork)] as const),
  ],
  timeoutS: 55,
});

export const handler = consume(contract, async (_, uses) => {
  const all = [
    await startPolls(uses, await uses.connectionPolls.upcoming(), TeamScope.grant),
    await startSteps(uses, await uses.bulkSteps.upcoming(), TeamScope.grant),
  ];
  const nextDueAt = all.flatMap((one) => one.nextDueAt ?? []).toSorted();
  return { started: all.reduce((sum, { started }) => sum + started, 0), next_due_at: nextDueAt[0] ?? null };
});
