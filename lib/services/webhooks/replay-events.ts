import { batchGetItem, getItem, putItem, queryItems, sendMessage } from "../../contract/access.ts";
import { webhookAttempts } from "../../contract/queues.ts";
import { deliveries, eventFeed, outbox } from "../../contract/resources.ts";
import type { EventReference } from "../../events/catalogue/envelope.ts";
import { toAttemptMessage } from "../../events/webhooks/delivery.ts";
import { isSubscribed } from "../../events/webhooks/webhook-endpoint.ts";
import type { Dependencies } from "../../runtime/dependency-table.ts";
import { ports } from "../../runtime/ports.ts";
import type { FeedEntry } from "../../store/events/event-feed.ts";
import { eventIdentityKey } from "../../store/events/outbox-items.ts";
import { enqueueAttempts } from "./attempt-queue.ts";
import { toDeliveryReference } from "./webhook-messages.ts";
import type { StepContext, StepResult } from "./webhook-task-step.ts";

/** Dependencies of replaying events to an endpoint. */
export type ReplayEventsDependencies = Dependencies<"eventFeed" | "outbox" | "deliveries" | "webhookAttempts">;

/** Grants of {@link replayEvents}. */
export const replayEventsAccess = [
  putItem(deliveries),
  getItem(eventFeed),
  queryItems(eventFeed),
  batchGetItem(outbox),
  sendMessage(webhookAttempts),
] as const;

/** Events that one step examines. */
const EVENTS_PER_STEP = 30;

/** Creates the missing deliveries of events that the endpoint subscribes to, in the order of publication. */
export async function replayEvents(context: StepContext, deps: ReplayEventsDependencies): Promise<StepResult> {
  const { scope, task } = context;
  const [position] = task.position;
  const after =
    typeof position === "number" ? position : await deps.eventFeed.findSequenceBefore(scope, Date.parse(task.since));
  const entries: FeedEntry[] = [];
  for await (const entry of deps.eventFeed.read(scope, after, ports().clock.now())) {
    if (entries.push(entry) === EVENTS_PER_STEP) break;
  }
  const missing = await findMissingEvents(entries, context, deps);
  const nowMs = ports().clock.now();
  for (const event of missing) await deps.deliveries.create(event, context.endpoint.endpoint_id, nowMs);
  const { endpoint_id } = context.endpoint;
  const messages = missing.map((event) => toAttemptMessage({ ...event, endpoint_id, event }));
  await enqueueAttempts(deps.webhookAttempts, messages);
  const last = entries.at(-1)?.sequence ?? after;
  return { scanned: entries.length, sent: missing.length, next: entries.length < EVENTS_PER_STEP ? undefined : [last] };
}

/** Returns the subscribed events without a delivery. Erased events no longer count. */
async function findMissingEvents(
  entries: readonly FeedEntry[],
  { scope, endpoint }: StepContext,
  { outbox, deliveries }: ReplayEventsDependencies,
): Promise<EventReference[]> {
  const named = entries.flatMap(({ event_id, user_id }) =>
    user_id === undefined ? [] : [{ team_id: scope.teamId, user_id, event_id }],
  );
  const events = new Map((await outbox.getReferences(named)).map((event) => [eventIdentityKey(event), event]));
  const wanted = named
    .flatMap((event) => events.get(eventIdentityKey(event)) ?? [])
    .filter(({ type }) => isSubscribed(endpoint, type));
  const names = wanted.map(({ event_id, user_id }) => toDeliveryReference(endpoint, event_id, user_id));
  const known = new Set((await deliveries.getMany(names)).map(eventIdentityKey));
  return wanted.filter((event) => !known.has(eventIdentityKey(event)));
}
