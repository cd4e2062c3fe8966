import { attemptMessageFor } from "../events/delivery.ts";
import type { EventReference } from "../events/envelope.ts";
import { wants } from "../events/webhook-endpoint.ts";
import type { DeliveryStore } from "../store/deliveries.ts";
import type { EventFeedStore, FeedEntry } from "../store/event-feed.ts";
import type { OutboxStore } from "../store/outbox.ts";
import { eventName } from "../store/outbox-items.ts";
import { lookAtAll } from "./attempt-queue.ts";
import { ports } from "./ports.ts";
import type { Queue } from "./queue.ts";
import { deliveryName } from "./webhook-messages.ts";
import type { StepContext, StepResult } from "./webhook-tasks.ts";

/** Dependencies of replaying events to an endpoint. */
export interface ReplayingUses {
  readonly eventFeed: EventFeedStore;
  readonly outbox: OutboxStore;
  readonly deliveries: DeliveryStore;
  readonly webhookAttempts: Queue;
}

/** Events that one step examines. */
const LOOKED_AT = 30;

/** Creates the missing deliveries of events that the endpoint subscribes to, in the order of publication. */
export async function replaySome(context: StepContext, uses: ReplayingUses): Promise<StepResult> {
  const { scope, task } = context;
  const [position] = task.position;
  const after = typeof position === "number" ? position : await uses.eventFeed.before(scope, Date.parse(task.since));
  const entries: FeedEntry[] = [];
  for await (const entry of uses.eventFeed.read(scope, after, ports().clock.now())) {
    if (entries.push(entry) === LOOKED_AT) break;
  }
  const missing = await missingAmong(entries, context, uses);
  const nowMs = ports().clock.now();
  for (const event of missing) await uses.deliveries.plan(event, context.endpoint.endpoint_id, nowMs);
  const { endpoint_id } = context.endpoint;
  const messages = missing.map((event) => attemptMessageFor({ ...event, endpoint_id, event }));
  await lookAtAll(uses.webhookAttempts, messages);
  const last = entries.at(-1)?.sequence ?? after;
  return { lookedAt: entries.length, sent: missing.length, next: entries.length < LOOKED_AT ? undefined : [last] };
}

/** Returns the subscribed events without a delivery. Erased events no longer count. */
async function missingAmong(
  entries: readonly FeedEntry[],
  { scope, endpoint }: StepContext,
  { outbox, deliveries }: ReplayingUses,
): Promise<EventReference[]> {
  const named = entries.flatMap(({ event_id, user_id }) =>
    user_id === undefined ? [] : [{ team_id: scope.teamId, user_id, event_id }],
  );
  const events = new Map((await outbox.references(named)).map((event) => [eventName(event), event]));
  const wanted = named
    .flatMap((event) => events.get(eventName(event)) ?? [])
    .filter(({ type }) => wants(endpoint, type));
  const names = wanted.map(({ event_id, user_id }) => deliveryName(endpoint, event_id, user_id));
  const known = new Set((await deliveries.getMany(names)).map(eventName));
  return wanted.filter((event) => !known.has(eventName(event)));
}
