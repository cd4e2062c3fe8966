import * as z from "zod";
import { queryInteger } from "../contract/parts.ts";
import { attemptMessageFor, type DeliveryReference } from "../events/delivery.ts";
import type { EndpointName } from "../events/endpoint-health.ts";
import { EVENT_ID_PATTERN } from "../events/event-id.ts";
import { deliveryState, toWireMessage, type WireMessage, wireAttempt, wireMessage } from "../events/webhook-message.ts";
import type { DeliveryStore } from "../store/deliveries.ts";
import { type DeliveryPlace, deliveryPlace } from "../store/endpoint-deliveries.ts";
import { eventName } from "../store/outbox-items.ts";
import { lookAt } from "./attempt-queue.ts";
import { NotFound } from "./errors.ts";
import type { PageCursor } from "./page-cursor.ts";
import { ports } from "./ports.ts";
import type { Queue } from "./queue.ts";

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
export const ownerQuery = z.object({
  user_id: z
    .guid()
    .toLowerCase()
    .nullish()
    .describe("The user of the message; omitted for an event of the team itself"),
});

/** The attempts of a message, oldest first. */
export const attemptList = z.object({ data: z.array(wireAttempt) }).meta({ id: "WebhookAttemptList" });

/** Maximum number of deliveries that one request examines. A rare status may match few of them. */
const MOST_LOOKED_AT = 1_000;

/** Lists a page of an endpoint's messages. @throws ValidationFailed for a cursor of another query. */
export async function listMessages(
  deliveries: DeliveryStore,
  endpoint: EndpointName,
  { status, limit, next_cursor }: z.output<typeof messageQuery>,
  pages: PageCursor,
): Promise<z.output<typeof messagePage>> {
  let after = pages.read(next_cursor, deliveryPlace);
  const data: WireMessage[] = [];
  for (let looked = 0; looked < MOST_LOOKED_AT && data.length < limit; ) {
    const span = { isNewestFirst: true, after, most: limit - data.length };
    const { found, next } = await deliveries.ofEndpoint(endpoint, span);
    data.push(...(await messagesOf(deliveries, found)).filter(({ state }) => !status || state === status));
    looked += found.length;
    after = next;
    if (!next) break;
  }
  return { data, next_cursor: after ? pages.write(after satisfies DeliveryPlace) : null };
}

/** Reads messages in the order of their references, without those erased in the meantime. */
async function messagesOf(deliveries: DeliveryStore, named: readonly DeliveryReference[]): Promise<WireMessage[]> {
  const byName = new Map((await deliveries.getMany(named)).map((one) => [eventName(one), one]));
  return named.flatMap((one) => byName.get(eventName(one)) ?? []).map(toWireMessage);
}

/** Creates the reference of a delivery. @param userId null or absent for an event of the team itself. */
export function deliveryName(endpoint: EndpointName, eventId: string, userId: string | null | undefined) {
  const { team_id, endpoint_id } = endpoint;
  return { team_id, endpoint_id, event_id: eventId, user_id: userId ?? "" };
}

const noMessage = () =>
  new NotFound("The endpoint has no message for this event. Specify the event's user in user_id.");

/** Lists the attempts of a delivery. @throws NotFound if the delivery does not exist. */
export async function listAttempts(deliveries: DeliveryStore, name: DeliveryReference) {
  const delivery = await deliveries.get(name);
  if (!delivery) throw noMessage();
  return { data: delivery.attempts };
}

/** Resends a delivery in any state, on a new retry schedule. @throws NotFound if the delivery does not exist. */
export async function resendMessage(
  { deliveries, webhookAttempts }: { readonly deliveries: DeliveryStore; readonly webhookAttempts: Queue },
  name: DeliveryReference,
): Promise<WireMessage> {
  const nowMs = ports().clock.now();
  const isThere = await deliveries.resend(name, nowMs);
  const delivery = isThere ? await deliveries.get(name) : undefined;
  if (!delivery) throw noMessage();
  await lookAt(webhookAttempts, attemptMessageFor(delivery), nowMs);
  return toWireMessage(delivery);
}
