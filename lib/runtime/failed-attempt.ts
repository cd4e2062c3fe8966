import { exhaustedEvent } from "../events/data-events.ts";
import { type Attempt, type Delivery, retryDelayMs } from "../events/delivery.ts";
import { eventBody } from "../events/envelope.ts";
import { type DeliveryStore, LONGEST_QUEUE_DELAY_MS } from "../store/deliveries.ts";
import type { OutboxStore } from "../store/outbox.ts";
import { isoNow, ports } from "./ports.ts";
import type { Queue } from "./queue.ts";

/** What carrying on after a failed attempt takes. */
interface FailedAttemptUses {
  readonly deliveries: DeliveryStore;
  readonly webhookAttempts: Queue;
  readonly outbox: OutboxStore;
}

/** Plans the next attempt after a failed one; after the last, ends the delivery. @param body the event's body, JSON text. */
export async function carryOn(
  claimed: Delivery,
  attempts: readonly Attempt[],
  body: string,
  uses: FailedAttemptUses,
): Promise<void> {
  const isPlanned = await planNext(claimed, attempts, uses);
  if (!isPlanned) await giveUp(claimed, attempts, body, uses);
}

/** Ends a delivery after its last attempt, and says so in an event; about that event itself there is no other. */
async function giveUp(
  claimed: Delivery,
  attempts: readonly Attempt[],
  body: string,
  { deliveries, outbox }: FailedAttemptUses,
) {
  const failed = eventBody.parse(JSON.parse(body));
  const { event_id: messageId, endpoint_id: endpointId } = claimed;
  const event = exhaustedEvent(failed, { messageId, endpointId, lastStatus: attempts.at(-1)?.status ?? 0 });
  if (failed.event_type !== event.reference.type) await outbox.add(event, isoNow());
  await deliveries.end(claimed, "exhausted", attempts);
}

/** Plans the next attempt after a failed one. @returns whether there is one. */
async function planNext(
  claimed: Delivery,
  attempts: readonly Attempt[],
  { deliveries, webhookAttempts }: FailedAttemptUses,
) {
  const delayMs = retryDelayMs(attempts.length, ports().ids.bytes(1).readUInt8() / 256);
  if (delayMs === undefined) return false;
  await deliveries.retry(claimed, attempts, ports().clock.now(), delayMs);
  if (delayMs > LONGEST_QUEUE_DELAY_MS) return true;
  const { team_id, user_id, endpoint_id, event_id } = claimed;
  const delayS = Math.ceil(delayMs / 1000);
  await webhookAttempts.send({ team_id, user_id, endpoint_id, event_id }, { delayS, groupId: team_id });
  return true;
}
