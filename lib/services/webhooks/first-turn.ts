import { isPrompt } from "../../events/webhooks/endpoint-health.ts";
import { ports } from "../../runtime/ports.ts";
import { type HeldLease, type Lease, MAX_WAITING_DELIVERIES } from "../../store/webhooks/lease-queue.ts";
import {
  acquireFirstLease,
  awaitOrDispatch,
  endFirstLease,
  quarantineLease,
  reserveReturns,
} from "./delivery-lease.ts";
import { type InvocationSlots, unprovenRetryMs } from "./delivery-slot.ts";
import {
  attemptUnderLease,
  type FirstAttemptDependencies,
  type FirstAttemptState,
  isAttemptable,
  type NewDelivery,
  readFirstState,
  storeDelivery,
  toFirstMessage,
} from "./first-attempt.ts";
import { isTurnOver, STATE_VALID_MS } from "./turn-limits.ts";

/** A delivery that waits for its turn, and the one who awaits its end. */
interface QueuedDelivery {
  readonly of: NewDelivery;
  readonly state: Promise<FirstAttemptState>;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** First attempts of one endpoint and ordering key, one at a time, each under a lease that passes on to the next. */
export class FirstTurn {
  readonly #deps: FirstAttemptDependencies;
  readonly #slots: InvocationSlots;
  readonly #startedMs = ports().clock.now();
  readonly #queue: QueuedDelivery[] = [];
  #isRunning = false;
  #lease: Lease | undefined;
  /** Whether the delivery of the last attempt shows its end. */
  #isRecorded = true;
  /** Ids of the events with an attempt in this turn. */
  readonly #attempted = new Set<string>();
  /** A state that was read before this instant (epoch ms) is outdated. */
  #changedMs = 0;

  constructor(deps: FirstAttemptDependencies, slots: InvocationSlots) {
    this.#deps = deps;
    this.#slots = slots;
  }

  deliver(of: NewDelivery): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const state = readFirstState(of, this.#deps);
    // Awaited only when its turn comes.
    state.catch(() => {});
    this.#queue.push({ of, state, resolve, reject });
    if (!this.#isRunning) this.#run();
    return promise;
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    for (let next = this.#queue.shift(); next; next = this.#queue.shift()) {
      await this.#deliverNext(next).then(next.resolve, next.reject);
    }
    this.#isRunning = false;
  }

  async #deliverNext(next: QueuedDelivery): Promise<void> {
    const { of } = next;
    try {
      const state = await this.#currentState(next);
      if (state.isStored) return;
      // A second message of the same event, in the same invocation.
      const isRepeated = this.#attempted.has(of.event.event_id);
      if (isRepeated || !isAttemptable(state)) await storeDelivery(of, this.#deps);
      else if (isTurnOver(this.#startedMs, this.#attempted.size)) await this.#storeRest(next);
      else if (!(await this.#hasSlot(next, state))) await storeDelivery(of, this.#deps, unprovenRetryMs());
      else await this.#attemptOrStore(next, state);
    } finally {
      if (this.#queue.length === 0) await this.#end(of);
    }
  }

  /** Returns the state as it was read with the others of the invocation, or reads it again. */
  async #currentState({ of, state }: QueuedDelivery): Promise<FirstAttemptState> {
    const known = await state;
    const isValid = known.readMs > this.#changedMs && known.readMs > ports().clock.now() - STATE_VALID_MS;
    return isValid ? known : readFirstState(of, this.#deps);
  }

  /** Whether the endpoint is prompt, or the invocation has a slot for the endpoints of the team that may not be. */
  async #hasSlot({ of }: QueuedDelivery, { health }: FirstAttemptState): Promise<boolean> {
    return isPrompt(health, ports().clock.now()) || this.#slots.has(of.event.team_id);
  }

  /** Attempts a delivery, if it acquires the lease or gets it from the delivery before. */
  async #attemptOrStore(next: QueuedDelivery, state: FirstAttemptState): Promise<void> {
    const message = toFirstMessage(next.of);
    const { deliveryLeases } = this.#deps;
    const found = this.#lease
      ? await deliveryLeases.passOn(message, this.#lease, ports().clock.now(), { isFirst: true })
      : await acquireFirstLease(message, this.#deps);
    if (found && "fence" in found) return this.#attempt(next.of, state, found);
    this.#lease = undefined;
    return this.#storeRest(next, found);
  }

  async #attempt(of: NewDelivery, state: FirstAttemptState, lease: Lease): Promise<void> {
    // If the attempt fails without a record, the lease is left to expire: the request may have been sent.
    this.#lease = undefined;
    this.#attempted.add(of.event.event_id);
    const end = await attemptUnderLease(of, state, lease, this.#deps);
    this.#isRecorded = typeof end !== "number" && end.isRecorded;
    if (typeof end === "number") await storeDelivery(of, this.#deps, end);
    else if (end.isAmbiguous) return quarantineLease(toFirstMessage(of), lease, end.endedMs, this.#deps);
    else if (!end.isHealthUnchanged) this.#changedMs = ports().clock.now();
    this.#lease = lease;
  }

  /**
   * Stores a delivery and all after it for the attempt queue. There they wait for the lease, or return later if its
   * waiting list is full.
   */
  async #storeRest(first: QueuedDelivery, held?: HeldLease): Promise<void> {
    const rest = this.#queue.splice(0);
    const work = this.#storeAll([first, ...rest], held);
    for (const { resolve, reject } of rest) work.then(resolve, reject);
    await work;
  }

  async #storeAll(queued: readonly QueuedDelivery[], held: HeldLease | undefined): Promise<void> {
    const deps = this.#deps;
    const states = await Promise.all(queued.map(({ state }) => state));
    const missing = queued.flatMap(({ of }, index) => (states[index]?.isStored ? [] : [of]));
    const messages = missing.map(toFirstMessage);
    if (held && held.waitingCount >= MAX_WAITING_DELIVERIES) {
      const times = await reserveReturns(messages, held, deps);
      await Promise.all(missing.map((of, index) => storeDelivery(of, deps, times[index])));
      return;
    }
    const nowMs = ports().clock.now();
    await Promise.all(missing.map(({ event, endpoint }) => deps.deliveries.create(event, endpoint.endpoint_id, nowMs)));
    await awaitOrDispatch(messages, this.#lease !== undefined, deps);
  }

  /** Ends the lease after the last delivery, so that those that wait for it continue. */
  async #end(of: NewDelivery): Promise<void> {
    const lease = this.#lease;
    this.#lease = undefined;
    if (lease) await endFirstLease(toFirstMessage(of), lease, this.#deps, this.#isRecorded);
  }
}
