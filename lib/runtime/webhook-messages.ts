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

/** What a list of messages may be asked for. */
export const messageQuery = z.object({
  status: deliveryState.nullish(),
  limit: queryInteger(1, 100).default(50),
  next_cursor: z.string().max(2_000).nullish(),
});

/** Messages of an endpoint, newest first. With a status a page may be short, or empty, though there is a cursor. */
export const messagePage = z
  .object({ data: z.array(wireMessage), next_cursor: z.string().nullable() })
  .meta({ id: "WebhookMessagePage" });

/** The event of a message, in the path. */
export const eventIdParam = z.string().regex(EVENT_ID_PATTERN, "Not the id of an event");

/** Whose event it is: deliveries are kept with their users, so that an erasure finds all of them. */
export const ownerQuery = z.object({
  user_id: z.guid().toLowerCase().nullish().describe("As the message has it; none for an event of the team alone"),
});

/** The attempts at a message, oldest first. */
export const attemptList = z.object({ data: z.array(wireAttempt) }).meta({ id: "WebhookAttemptList" });

/** Deliveries that one request looks at, at most: of a rare state there may be few among very many. */
const MOST_LOOKED_AT = 1_000;

/** A page of the messages of an endpoint. @throws ValidationFailed for a cursor of another query. */
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

/** Messages in the order of their names, without those that were erased meanwhile. */
async function messagesOf(deliveries: DeliveryStore, named: readonly DeliveryReference[]): Promise<WireMessage[]> {
  const byName = new Map((await deliveries.getMany(named)).map((one) => [eventName(one), one]));
  return named.flatMap((one) => byName.get(eventName(one)) ?? []).map(toWireMessage);
}

/** The name of a delivery. @param userId null or absent for an event of the team alone. */
export function deliveryName(endpoint: EndpointName, eventId: string, userId: string | null | undefined) {
  const { team_id, endpoint_id } = endpoint;
  return { team_id, endpoint_id, event_id: eventId, user_id: userId ?? "" };
}

const noMessage = () => new NotFound("The endpoint has no message of this event. Name its user in user_id.");

/** The attempts at a delivery. @throws NotFound when there is none. */
export async function listAttempts(deliveries: DeliveryStore, name: DeliveryReference) {
  const delivery = await deliveries.get(name);
  if (!delivery) throw noMessage();
  return { data: delivery.attempts };
}

/** Has a delivery attempted now, whatever became of it, on a new schedule. @throws NotFound when there is none. */
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
