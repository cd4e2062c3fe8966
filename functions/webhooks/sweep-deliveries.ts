import * as z from "zod";
import { queryItems, sendMessage, updateItem } from "../../lib/contract/access.ts";
import { consumer } from "../../lib/contract/consumer.ts";
import { webhookAttempts } from "../../lib/contract/queues.ts";
import { deliveries, endpointHealth } from "../../lib/contract/resources.ts";
import { consume } from "../../lib/runtime/consume.ts";
import { ports } from "../../lib/runtime/ports.ts";
import {
  dispatchDueDeliveries,
  resumeSuspendedEndpoints,
} from "../../lib/services/webhooks/dispatch-due-deliveries.ts";

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
  access: [
    queryItems(deliveries, "due"),
    queryItems(endpointHealth, "due"),
    updateItem(endpointHealth),
    sendMessage(webhookAttempts),
  ],
  timeoutS: 55,
});

export const handler = consume(contract, async (_, deps) => {
  const nowMs = ports().clock.now();
  const nextDueAt = [await dispatchDueDeliveries(nowMs, deps), await resumeSuspendedEndpoints(nowMs, deps)];
  return { next_due_at: nextDueAt.filter((instant) => instant !== undefined).sort()[0] ?? null };
});
