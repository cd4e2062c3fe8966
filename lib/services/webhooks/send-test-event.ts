import * as z from "zod";
import { putItem, sendMessage } from "../../contract/access.ts";
import { webhookAttempts } from "../../contract/queues.ts";
import { deliveries, outbox } from "../../contract/resources.ts";
import { isEventType } from "../../events/catalogue/catalogue.ts";
import { testEventId } from "../../events/catalogue/event-id.ts";
import { exampleEventBody } from "../../events/catalogue/example-event.ts";
import { toAttemptMessage } from "../../events/webhooks/delivery.ts";
import type { WebhookEndpoint } from "../../events/webhooks/webhook-endpoint.ts";
import { toWireMessage, type WireMessage } from "../../events/webhooks/webhook-message.ts";
import type { Dependencies } from "../../runtime/dependency-table.ts";
import { isoNow, ports } from "../../runtime/ports.ts";
import { enqueueAttempt } from "./attempt-queue.ts";

/** Dependencies of sending a test event. */
type SendTestEventDependencies = Dependencies<"outbox" | "deliveries" | "webhookAttempts">;

/** Grants of {@link sendTestEvent}. */
export const sendTestEventAccess = [putItem(outbox), putItem(deliveries), sendMessage(webhookAttempts)] as const;

const DEFAULT_TYPE = "daily.data.activity.created";

/** Request body of a test, or none. Any event type is allowed, whether or not the endpoint subscribes to it. */
export const testEventDraft = z
  .object({ event_type: z.string().max(200).refine(isEventType, "not an event type").default(DEFAULT_TYPE) })
  .optional();

/** Sends an example event to one endpoint. The delivery is a normal one; the user in the body is fictitious. */
export async function sendTestEvent(
  { outbox, deliveries, webhookAttempts }: SendTestEventDependencies,
  { team_id, endpoint_id }: WebhookEndpoint,
  draft: z.output<typeof testEventDraft>,
): Promise<WireMessage> {
  const type = draft?.event_type ?? DEFAULT_TYPE;
  const event_id = testEventId(ports().ids.bytes(32));
  // The event belongs to no user, so an erasure need not find it.
  const event = { event_id, team_id, user_id: "", type, key: event_id, version: 1 };
  await outbox.appendUnpublished(event, exampleEventBody(type, team_id), isoNow());
  const nowMs = ports().clock.now();
  const delivery = await deliveries.create(event, endpoint_id, nowMs);
  await enqueueAttempt(webhookAttempts, toAttemptMessage(delivery), nowMs);
  return toWireMessage(delivery);
}
