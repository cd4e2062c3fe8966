import type { EventReference } from "../../events/catalogue/envelope.ts";
import { isSubscribed, type WebhookEndpoint } from "../../events/webhooks/webhook-endpoint.ts";
import { consumeEach, type MessageFailure, oncePerTeam } from "../../runtime/consume-each.ts";
import type { Log } from "../../runtime/log.ts";
import type { Span } from "../../runtime/span.ts";
import type { TeamScope } from "../../store/team-scope.ts";
import { InvocationSlots } from "./delivery-slot.ts";
import { type FirstAttemptDependencies, type NewDelivery, storeDelivery, toFirstMessage } from "./first-attempt.ts";
import { FirstTurn } from "./first-turn.ts";

/**
 * Maximum turns of one invocation, and thus of its open attempts. It bounds the open attempts of the service. Further
 * deliveries go to the attempt queue.
 */
export const MAX_FIRST_TURNS = 10;
/** Further deliveries of a team that an invocation stores at the same time. */
const STORING_LANES = 4;

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
  const teamIds = messages.map(({ message }) => message.team_id);
  const turns = new FirstTurns(deps, teamIds);
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

/**
 * The first attempts of one invocation. Those of an endpoint and ordering key follow one another in one turn, and all
 * turns run at the same time. Each team has at least one of the turns.
 */
class FirstTurns {
  readonly #deps: FirstAttemptDependencies;
  readonly #slots: InvocationSlots;
  readonly #turns = new Map<string, FirstTurn>();
  /** Teams that have no turn yet. */
  readonly #unserved: Set<string>;
  /** The last delivery that each lane stores. */
  readonly #lanes = new Map<string, Promise<void>>();
  #stored = 0;

  constructor(deps: FirstAttemptDependencies, teamIds: readonly string[]) {
    this.#deps = deps;
    this.#slots = new InvocationSlots(deps);
    this.#unserved = new Set(teamIds);
  }

  /**
   * Makes the first attempt of a delivery and stores the delivery with its outcome. Where the attempt has to wait, or
   * ends without a request, stores the delivery for the attempt queue instead. Skips a delivery that is stored already.
   */
  deliver(of: NewDelivery): Promise<void> {
    const { team_id, user_id, endpoint_id, order_key } = toFirstMessage(of);
    const name = JSON.stringify([team_id, user_id, endpoint_id, order_key]);
    this.#unserved.delete(team_id);
    const known = this.#turns.get(name);
    if (!known && this.#turns.size + this.#unserved.size >= MAX_FIRST_TURNS) return this.#store(of);
    const turn = known ?? new FirstTurn(this.#deps, this.#slots);
    this.#turns.set(name, turn);
    return turn.deliver(of);
  }

  /** Ends the invocation after its last attempt. */
  end(log: Log | undefined): Promise<void> {
    return this.#slots.release(log);
  }

  /** Stores a delivery for the attempt queue, a few at a time: the attempts of other teams share the processor. */
  #store(of: NewDelivery): Promise<void> {
    const lane = `${of.event.team_id} ${this.#stored++ % STORING_LANES}`;
    const storing = (this.#lanes.get(lane) ?? Promise.resolve()).then(() => storeDelivery(of, this.#deps));
    this.#lanes.set(
      lane,
      storing.catch(() => {}),
    );
    return storing;
  }
}
