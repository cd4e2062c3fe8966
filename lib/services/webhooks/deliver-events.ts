import type { EventReference } from "../../events/catalogue/envelope.ts";
import { isSubscribed, type WebhookEndpoint } from "../../events/webhooks/webhook-endpoint.ts";
import { consumeEach, type MessageFailure, oncePerTeam } from "../../runtime/consume-each.ts";
import type { Log } from "../../runtime/log.ts";
import type { Span } from "../../runtime/span.ts";
import type { TeamScope } from "../../store/team-scope.ts";
import { type FirstAttemptDependencies, storeDelivery } from "./first-attempt.ts";
import { FirstTurns } from "./first-turns.ts";

/** A message with the reference of an event. */
interface EventMessage {
  readonly message: EventReference;
  readonly log: Log;
  readonly span?: Span;
  /** Whether the queue delivered the message before. */
  readonly isRedelivered: boolean;
}

/**
 * Delivers events to the subscribed endpoints of their teams: makes the first attempt, or stores the delivery for the
 * attempt queue. Until then the message is the only record of the delivery, so it stays in its queue.
 * @returns the messages to deliver again.
 */
export async function deliverEvents<M extends EventMessage>(
  messages: readonly M[],
  grant: (teamId: string) => TeamScope,
  deps: FirstAttemptDependencies,
): Promise<MessageFailure<M>[]> {
  const endpointsOf = oncePerTeam((scope) => deps.webhookEndpoints.list(scope));
  const turns = new FirstTurns(deps);
  const deliver = async ({ message: event, log, isRedelivered }: M) => {
    const scope = grant(event.team_id);
    const subscribed = (await endpointsOf(scope)).filter((endpoint) => isSubscribed(endpoint, event.type));
    if (isRedelivered) return storeMissing(event, subscribed, deps);
    return settleAll(subscribed.map((endpoint) => turns.deliver({ scope, event, endpoint, log })));
  };
  const failures = await consumeEach(messages, deliver);
  await turns.end(messages[0]?.log);
  return failures;
}

/** Stores the deliveries of a redelivered message that an earlier invocation has not stored. */
async function storeMissing(
  event: EventReference,
  endpoints: readonly WebhookEndpoint[],
  deps: FirstAttemptDependencies,
): Promise<void> {
  const references = endpoints.map(({ endpoint_id }) => ({ ...event, endpoint_id }));
  const stored = new Set((await deps.deliveries.getMany(references)).map(({ endpoint_id }) => endpoint_id));
  const missing = endpoints.filter(({ endpoint_id }) => !stored.has(endpoint_id));
  await settleAll(missing.map((endpoint) => storeDelivery({ event, endpoint }, deps)));
}

/** Waits for all works. An attempt that is under way must not outlive its invocation. @throws the first error. */
async function settleAll(works: readonly Promise<void>[]): Promise<void> {
  const outcomes = await Promise.allSettled(works);
  for (const outcome of outcomes) if (outcome.status === "rejected") throw outcome.reason;
}
