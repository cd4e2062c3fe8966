import { type AttemptMessage, isDue } from "../../events/webhooks/delivery.ts";
import type { Log } from "../../runtime/log.ts";
import { ports } from "../../runtime/ports.ts";
import type { TeamScope } from "../../store/team-scope.ts";
import type { Lease } from "../../store/webhooks/lease-queue.ts";
import { type CurrentBodyDependencies, resolveCurrentBody } from "./current-body.ts";
import { admitDelivery, admitWithinRateLimit, type DeliveryTarget, readDeliveryState } from "./delivery-gate.ts";
import { type DeliveryLeaseDependencies, quarantineLease, releaseLease, toWaitingMessages } from "./delivery-lease.ts";
import { type DeliverySlotDependencies, withSlot } from "./delivery-slot.ts";
import { type AttemptEnd, type MakeAttemptDependencies, makeAttempt } from "./make-attempt.ts";
import { isTurnOver, STATE_VALID_MS } from "./turn-limits.ts";

/** Dependencies of an attempt at a stored delivery. */
export type AttemptDeliveryDependencies = DeliverySlotDependencies &
  DeliveryLeaseDependencies &
  CurrentBodyDependencies &
  MakeAttemptDependencies;

/** The delivery that a message names, with scope and log. */
export interface AttemptRequest {
  readonly scope: TeamScope;
  readonly message: AttemptMessage;
  readonly log: Log;
}

/** Waiting deliveries that one request reads, if the receiver is fast enough to attempt all of them in time. */
const MAX_READ_DELIVERIES = 10;

/** A waiting delivery as it was read under the lease. */
interface Candidate {
  readonly message: AttemptMessage;
  readonly state: Awaited<ReturnType<typeof readDeliveryState<string | undefined>>>;
}

/**
 * The attempts of one invocation at the deliveries of an endpoint and ordering key, one at a time, each under a lease of
 * its own that passes on from the one before it.
 */
export class DeliveryTurn {
  readonly #request: AttemptRequest;
  readonly #deps: AttemptDeliveryDependencies;
  readonly #startedMs = ports().clock.now();
  #lease: Lease;
  #attempts = 0;
  /** Event ids of the deliveries that had their turn, and of those among them that have not left the waiting list. */
  readonly #seen = new Set<string>();
  #leaving: string[] = [];
  #candidates: Candidate[] = [];
  #readMs = 0;
  #lastAttemptMs = 0;

  constructor(request: AttemptRequest, lease: Lease, deps: AttemptDeliveryDependencies) {
    this.#request = request;
    this.#lease = lease;
    this.#deps = deps;
    this.#seen.add(request.message.event_id);
  }

  /** Attempts the delivery of the request and then those that wait, until none waits or the turn is over. */
  async run(target: DeliveryTarget): Promise<void> {
    const { message } = this.#request;
    // The previous lease holder may have made the attempt already. A deleted delivery stays deleted; then the lease was
    // acquired for those that wait behind it.
    const [delivery, text] = target.delivery
      ? await this.#deps.read([this.#deps.deliveries.readItem(message), this.#deps.outbox.readBodyItem(message)])
      : [];
    let isOpen = await this.#attempt(message, { ...target, delivery }, text);
    while (isOpen && !isTurnOver(this.#startedMs, this.#attempts)) {
      const next = await this.#takeCandidate();
      if (!next) break;
      isOpen = await this.#attemptNext(next);
    }
    if (isOpen) await releaseLease(message, this.#lease, this.#deps, this.#leaving);
  }

  /** Returns a delivery that waits, with its state under the lease; undefined if none waits. */
  async #takeCandidate(): Promise<Candidate | undefined> {
    const isFresh = ports().clock.now() - this.#readMs < STATE_VALID_MS;
    if (!isFresh || this.#candidates.length === 0) await this.#readCandidates();
    const next = this.#candidates.shift();
    if (next) this.#seen.add(next.message.event_id);
    return next;
  }

  async #readCandidates(): Promise<void> {
    const { scope, message } = this.#request;
    const most = this.#lastAttemptMs * MAX_READ_DELIVERIES < STATE_VALID_MS ? MAX_READ_DELIVERIES : 1;
    const eventIds = this.#lease.waiting.filter((id) => !this.#seen.has(id)).slice(0, most);
    this.#readMs = ports().clock.now();
    const reading = toWaitingMessages(message, eventIds).map(async (one) => {
      const state = await readDeliveryState(scope, one, this.#deps.outbox.readBodyItem(one), this.#deps);
      return { message: one, state };
    });
    this.#candidates = await Promise.all(reading);
  }

  /** Attempts the next delivery, if it is due, under a lease of its own. @returns whether the lease is still held. */
  async #attemptNext({ message, state: [state, text] }: Candidate): Promise<boolean> {
    const target = await admitDelivery(message, state, this.#deps);
    const nowMs = ports().clock.now();
    if (!target?.delivery || !isDue(target.delivery, nowMs)) {
      this.#leaving.push(message.event_id);
      return true;
    }
    const { deliveryLeases } = this.#deps;
    const options = { leaving: this.#leaving, paceMs: this.#lastAttemptMs };
    const lease = await deliveryLeases.passOn(message, this.#lease, nowMs, options);
    if (!lease) return false;
    this.#lease = lease;
    this.#leaving = [];
    return this.#attempt(message, target, text);
  }

  /** @returns whether the lease is still held and the turn may go on. */
  async #attempt(message: AttemptMessage, target: DeliveryTarget, text: string | undefined): Promise<boolean> {
    this.#attempts++;
    const startedMs = ports().clock.now();
    const end = await this.#attemptIfAdmitted(message, target, text);
    this.#lastAttemptMs = ports().clock.now() - startedMs;
    if (!end?.isHealthUnchanged) this.#candidates = [];
    if (!end?.isAmbiguous) return true;
    await quarantineLease(message, this.#lease, end.endedMs, this.#deps);
    return false;
  }

  /** @returns undefined without an attempt. */
  async #attemptIfAdmitted(
    message: AttemptMessage,
    { endpoint, health, delivery }: DeliveryTarget,
    text: string | undefined,
  ): Promise<AttemptEnd | undefined> {
    if (!delivery || !isDue(delivery, ports().clock.now())) return undefined;
    const deps = this.#deps;
    const { scope, log } = this.#request;
    if (!(await admitWithinRateLimit(message, endpoint, deps))) return undefined;
    return withSlot({ message, health, log }, deps, async () => {
      const isProbe = message.probe;
      if (isProbe && !(await deps.endpointHealth.claimProbe(message, ports().clock.now()))) return undefined;
      const body = await resolveCurrentBody(scope, { endpoint, reference: delivery.event, text }, deps);
      const attempt = { scope, lease: this.#lease, endpoint, health, delivery, isProbe, log };
      if (body !== undefined) return makeAttempt({ ...attempt, body }, deps);
      await deps.deliveries.cancel(message, "nothing_to_send");
      return undefined;
    });
  }
}
