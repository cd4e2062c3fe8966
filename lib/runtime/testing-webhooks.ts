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

/** What trying an endpoint takes. */
interface TestingUses {
  readonly outbox: OutboxStore;
  readonly deliveries: DeliveryStore;
  readonly webhookAttempts: Queue;
}

/** Of which type the test is to be; any, whatever the endpoint asks for otherwise. */
export const testDraft = z.object({
  event_type: z.string().max(200).refine(isEventType, "not a type of event").default("daily.data.activity.created"),
});

/** Sends an example of an event type to one endpoint, delivered like any event, about a user that there is not. */
export async function sendTest(
  { outbox, deliveries, webhookAttempts }: TestingUses,
  { team_id, endpoint_id }: WebhookEndpoint,
  { event_type: type }: z.output<typeof testDraft>,
): Promise<WireMessage> {
  const event_id = testEventId(ports().ids.bytes(32));
  // No user's: an erasure has nothing to look for here.
  const event = { event_id, team_id, user_id: "", type, key: event_id, version: 1 };
  await outbox.keepApart(event, exampleBody(type, team_id), isoNow());
  const nowMs = ports().clock.now();
  const delivery = await deliveries.plan(event, endpoint_id, nowMs);
  await lookAt(webhookAttempts, attemptMessageFor(delivery), nowMs);
  return toWireMessage(delivery);
}
