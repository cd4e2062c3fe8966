import * as z from "zod";
import { batchGetItem, getItem, queryItems, sendMessage, updateItem } from "../../contract/access.ts";
import { webhookAttempts } from "../../contract/queues.ts";
import { deliveries } from "../../contract/resources.ts";
import { queryInteger } from "../../contract/shared-schemas.ts";
import { EVENT_ID_PATTERN } from "../../events/catalogue/event-id.ts";
import { type DeliveryReference, toAttemptMessage } from "../../events/webhooks/delivery.ts";
import type { EndpointReference } from "../../events/webhooks/endpoint-health.ts";
import {
  deliveryState,
  toWireMessage,
  type WireMessage,
  wireAttempt,
  wireMessage,
} from "../../events/webhooks/webhook-message.ts";
import type { Queue } from "../../runtime/aws/queue.ts";
import { NotFound } from "../../runtime/errors.ts";
import type { PageCursor } from "../../runtime/http/page-cursor.ts";
import { ports } from "../../runtime/ports.ts";
import { eventIdentityKey } from "../../store/events/outbox-items.ts";
import type { DeliveryStore } from "../../store/webhooks/deliveries.ts";
import { type DeliveryPosition, deliveryPosition } from "../../store/webhooks/endpoint-deliveries.ts";
import { enqueueAttempt } from "./attempt-queue.ts";

/** Query of a list of messages. */
export const messageQuery = z.object({
  status: deliveryState.nullish(),
  limit: queryInteger(1, 100).default(50),
  next_cursor: z.string().max(2_000).nullish(),
});

/**
 * A page of an endpoint's messages, newest first. With a status filter a page may be short or empty despite a cursor.
 */
export const messagePage = z
  .object({ data: z.array(wireMessage), next_cursor: z.string().nullable() })
  .meta({ id: "WebhookMessagePage" });

/** Path parameter with the event id of a message. */
export const eventIdParam = z.string().regex(EVENT_ID_PATTERN, "Not an event id");

/** Query with the user of an event. Deliveries are stored with their users, so that an erasure finds all of them. */
export const messageOwnerQuery = z.object({
  user_id: z
    .guid()
    .toLowerCase()
    .nullish()
    .describe("The user of the message; omitted for an event of the team itself"),
});

/** The attempts of a message, oldest first. */
export const attemptList = z.object({ data: z.array(wireAttempt) }).meta({ id: "WebhookAttemptList" });

/** Maximum number of deliveries that one request examines. A rare status may match few of them. */
const MAX_SCANNED_DELIVERIES = 1_000;

/** Grants of {@link listMessages}. */
export const listMessagesAccess = [queryItems(deliveries, "by_endpoint"), batchGetItem(deliveries)] as const;

/** Lists a page of an endpoint's messages. @throws ValidationFailed for a cursor of another query. */
export async function listMessages(
  deliveries: DeliveryStore,
  endpoint: EndpointReference,
  { status, limit, next_cursor }: z.output<typeof messageQuery>,
  pages: PageCursor,
): Promise<z.output<typeof messagePage>> {
  let after = pages.read(next_cursor, deliveryPosition);
  const data: WireMessage[] = [];
  for (let looked = 0; looked < MAX_SCANNED_DELIVERIES && data.length < limit; ) {
    const span = { isNewestFirst: true, after, limit: limit - data.length };
    const { found, next } = await deliveries.listByEndpoint(endpoint, span);
    data.push(...(await readMessages(deliveries, found)).filter(({ state }) => !status || state === status));
    looked += found.length;
    after = next;
    if (!next) break;
  }
  return { data, next_cursor: after ? pages.write(after satisfies DeliveryPosition) : null };
}

/** Reads messages in the order of their references, without those erased in the meantime. */
async function readMessages(deliveries: DeliveryStore, named: readonly DeliveryReference[]): Promise<WireMessage[]> {
  const byName = new Map((await deliveries.getMany(named)).map((one) => [eventIdentityKey(one), one]));
  return named.flatMap((one) => byName.get(eventIdentityKey(one)) ?? []).map(toWireMessage);
}

/** Creates the reference of a delivery. @param userId null or absent for an event of the team itself. */
export function toDeliveryReference(endpoint: EndpointReference, eventId: string, userId: string | null | undefined) {
  const { team_id, endpoint_id } = endpoint;
  return { team_id, endpoint_id, event_id: eventId, user_id: userId ?? "" };
}

const messageNotFound = () =>
  new NotFound("The endpoint has no message for this event. Specify the event's user in user_id.");

/** Lists the attempts of a delivery. @throws NotFound if the delivery does not exist. */
export async function listAttempts(deliveries: DeliveryStore, name: DeliveryReference) {
  const delivery = await deliveries.get(name);
  if (!delivery) throw messageNotFound();
  return { data: delivery.attempts };
}

/** Grants of {@link resendMessage}. */
export const resendMessageAccess = [getItem(deliveries), updateItem(deliveries), sendMessage(webhookAttempts)] as const;

/** Resends a delivery in any state, on a new retry schedule. @throws NotFound if the delivery does not exist. */
export async function resendMessage(
  { deliveries, webhookAttempts }: { readonly deliveries: DeliveryStore; readonly webhookAttempts: Queue },
  name: DeliveryReference,
): Promise<WireMessage> {
  const nowMs = ports().clock.now();
  const isThere = await deliveries.resend(name, nowMs);
  const delivery = isThere ? await deliveries.get(name) : undefined;
  if (!delivery) throw messageNotFound();
  await enqueueAttempt(webhookAttempts, toAttemptMessage(delivery), nowMs);
  return toWireMessage(delivery);
}
