import * as z from "zod";
import { query, send } from "../../lib/contract/access.ts";
import { consumer } from "../../lib/contract/consumer.ts";
import { deliveries, webhookAttempts } from "../../lib/contract/resources.ts";
import { consume } from "../../lib/runtime/consume.ts";
import { ports } from "../../lib/runtime/ports.ts";

/** Wakes deliveries whose next attempt lies beyond the delay of a queue message, or whose message was lost. */
export const contract = consumer({
  operationId: "sweepDeliveries",
  tag: "webhooks",
  summary: "Wake deliveries that are due",
  trigger: { kind: "schedule", rate: { minutes: 1 } },
  message: z.unknown(),
  access: [query(deliveries, "due"), send(webhookAttempts)],
  timeoutS: 55,
});

export const handler = consume(contract, async (_, { deliveries, webhookAttempts }) => {
  const { due, nextDueAt } = await deliveries.due(ports().clock.now());
  await webhookAttempts.sendAll(due);
  return { next_due_at: nextDueAt ?? null };
});
