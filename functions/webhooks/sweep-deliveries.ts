import * as z from "zod";
import { query, send, update } from "../../lib/contract/access.ts";
import { consumer } from "../../lib/contract/consumer.ts";
import { webhookAttempts } from "../../lib/contract/queues.ts";
import { deliveries, endpointHealth } from "../../lib/contract/resources.ts";
import { consume } from "../../lib/runtime/consume.ts";
import { ports } from "../../lib/runtime/ports.ts";
import { wakeParked, wakePending } from "../../lib/runtime/waking.ts";

/**
 * Dispatches deliveries whose next attempt is beyond the maximum delay of a queue message, or whose message was lost.
 * Probes suspended endpoints and releases their held deliveries.
 */
export const contract = consumer({
  operationId: "sweepDeliveries",
  tag: "webhooks",
  summary: "Dispatch due deliveries",
  trigger: { kind: "schedule", rate: { minutes: 1 } },
  message: z.unknown(),
  access: [query(deliveries, "due"), query(endpointHealth, "due"), update(endpointHealth), send(webhookAttempts)],
  timeoutS: 55,
});

export const handler = consume(contract, async (_, uses) => {
  const nowMs = ports().clock.now();
  const nextDueAt = [await wakePending(nowMs, uses), await wakeParked(nowMs, uses)];
  return { next_due_at: nextDueAt.filter((instant) => instant !== undefined).sort()[0] ?? null };
});
