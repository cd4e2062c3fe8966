import * as z from "zod";
import { queryItems, sendMessage } from "../../lib/contract/access.ts";
import { consumer } from "../../lib/contract/consumer.ts";
import { historyPulls } from "../../lib/contract/queues.ts";
import { historicalPulls } from "../../lib/contract/resources.ts";
import { pullRef } from "../../lib/domain/connections/pulls/historical-pull.ts";
import { consume } from "../../lib/runtime/consume.ts";
import { isoNow } from "../../lib/runtime/ports.ts";

/** Resumes due history pulls, after a pause that a provider requested or after a run that stopped. */
export const contract = consumer({
  operationId: "sweepPulls",
  tag: "history",
  summary: "Resume due history pulls",
  trigger: { kind: "schedule", rate: { minutes: 1 } },
  message: z.unknown(),
  access: [queryItems(historicalPulls, "due"), sendMessage(historyPulls)],
  timeoutS: 55,
});

export const handler = consume(contract, async (_, { historicalPulls, historyPulls }) => {
  const { due, nextDueAt } = await historicalPulls.listDue(isoNow());
  await historyPulls.sendAll(due.map((pull) => pullRef.parse(pull)));
  return { started: due.length, next_due_at: nextDueAt ?? null };
});
