import * as z from "zod";
import { isEventType } from "../events/catalogue.ts";
import { attemptMessageFor } from "../events/delivery.ts";
import { testEventId } from "../events/event-id.ts";
import { exampleBody } from "../events/example-event.ts";
import type { WebhookEndpoint } from "../events/webhook-endpoint.ts";
import { toWireMessage, type WireMessage } from "../events/webhook-message.ts";
import type { DeliveryStore } from "../store/deliveries.ts";
import type { OutboxStore } from "../store/outbox.ts";
import { lookAt } from "./attempt-queue.ts";
import { isoNow, ports } from "./ports.ts";
import type { Queue } from "./queue.ts";

/** Dependencies of sending a test event. */
interface TestingUses {
  readonly outbox: OutboxStore;
  readonly deliveries: DeliveryStore;
  readonly webhookAttempts: Queue;
}

/** Request body of a test. Any event type is allowed, whether or not the endpoint subscribes to it. */
export const testDraft = z.object({
  event_type: z.string().max(200).refine(isEventType, "not an event type").default("daily.data.activity.created"),
});

/** Sends an example event to one endpoint. The delivery is a normal one; the user in the body is fictitious. */
export async function sendTest(
  { outbox, deliveries, webhookAttempts }: TestingUses,
  { team_id, endpoint_id }: WebhookEndpoint,
  { event_type: type }: z.output<typeof testDraft>,
): Promise<WireMessage> {
  const event_id = testEventId(ports().ids.bytes(32));
  // The event belongs to no user, so an erasure need not find it.
  const event = { event_id, team_id, user_id: "", type, key: event_id, version: 1 };
  await outbox.keepApart(event, exampleBody(type, team_id), isoNow());
  const nowMs = ports().clock.now();
  const delivery = await deliveries.plan(event, endpoint_id, nowMs);
  await lookAt(webhookAttempts, attemptMessageFor(delivery), nowMs);
  return toWireMessage(delivery);
}
