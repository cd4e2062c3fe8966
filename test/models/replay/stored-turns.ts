import * as z from "zod";
import { type Delivery, delivery as deliverySchema, isAmbiguous } from "../../../lib/events/webhooks/delivery.ts";
import { leaseItem } from "../../../lib/store/webhooks/lease-queue.ts";
import { toBits } from "../bits.ts";
import { DELIVERED, LATER, NEW, OPEN, type TurnsState } from "../turns-state.ts";

const storedHealth = z.object({ hold_until: z.string() });
type Lease = z.output<typeof leaseItem>;

/** Length of a tick. */
export const TICK_MS = 5_000;

/** The stored lease and deliveries of one ordering key, numbered as the model does. */
export class StoredTurns {
  /** Each delivery as a state of the model. */
  states: readonly number[];
  readonly #ids: readonly string[];
  #lease: Lease | undefined;
  #deliveries: readonly (Delivery | undefined)[];
  #pausedUntilMs = 0;
  /** The real tokens begin at the time of the first lease. */
  #firstFence: number | undefined;

  /** @param ids ids of the events in the order of the model. */
  constructor(ids: readonly string[]) {
    this.#ids = ids;
    this.states = ids.map(() => NEW);
    this.#deliveries = ids.map(() => undefined);
  }

  /** Takes what the table has now. @returns the deliveries that the step scheduled for later. */
  update(items: readonly unknown[]): number[] {
    const found = items.flatMap((item) => deliverySchema.safeParse(item).data ?? []);
    const before = this.#deliveries;
    this.#lease = items.flatMap((item) => leaseItem.safeParse(item).data ?? []).at(0);
    this.#firstFence ??= this.#lease?.fence;
    const pause = items.flatMap((item) => storedHealth.safeParse(item).data ?? []).at(0);
    this.#pausedUntilMs = pause ? Date.parse(pause.hold_until) : 0;
    this.#deliveries = this.#ids.map((id) => found.find(({ event_id }) => event_id === id));
    const isScheduled = (place: number) => {
      const [was, is] = [before[place], this.#deliveries[place]];
      if (is?.state !== "pending") return false;
      return was ? was.next_attempt_at !== is.next_attempt_at || was.fence !== is.fence : is.fence !== undefined;
    };
    const scheduled = [...this.#ids.keys()].filter(isScheduled);
    this.states = this.#deliveries.map((one, place) => {
      if (!one) return NEW;
      if (one.state === "delivered") return DELIVERED;
      if (one.state !== "pending") throw new Error(`a delivery is ${one.state}`);
      const isNew = this.states[place] === NEW;
      return scheduled.includes(place) ? LATER : isNew ? OPEN : (this.states[place] ?? NEW);
    });
    return scheduled;
  }

  /** Returns a delivery that has become due since it was scheduled for later, and counts it as due. */
  takeDue(nowMs: number): number | undefined {
    const isDue = (one: Delivery | undefined) => one !== undefined && Date.parse(one.next_attempt_at) <= nowMs;
    const place = this.states.findIndex((state, index) => state === LATER && isDue(this.#deliveries[index]));
    if (place === -1) return undefined;
    this.states = this.states.with(place, OPEN);
    return place;
  }

  get fence(): number | undefined {
    return this.#lease?.fence;
  }

  isHeldAt = (nowMs: number): boolean => Date.parse(this.#lease?.lease_until ?? "1970") > nowMs;

  isPausedAt = (nowMs: number): boolean => this.#pausedUntilMs > nowMs;

  /** The number that the model has for a fencing token; 0 for none. */
  number = (fence: number | undefined): number => (fence === undefined ? 0 : fence - (this.#firstFence ?? fence) + 1);

  /** The store for the report of a refusal. */
  describe(nowMs: number): string {
    const { fence, first, leaseLeft, waiting, isQuarantine } = this.#viewLease(nowMs);
    const lease = `lease ${fence} of ${first} for ${leaseLeft}${isQuarantine ? " in quarantine" : ""} waiting ${waiting}`;
    return `${lease} deliveries ${this.states} tokens ${this.#deliveries.map((one) => this.number(one?.fence))}`;
  }

  /** Whether a state of the model shows what is stored. */
  compareAt(nowMs: number): (state: TurnsState) => boolean {
    const lease = this.#viewLease(nowMs);
    const { states } = this;
    const fences = this.#deliveries.map((one) => this.number(one?.fence));
    const unknown = this.#deliveries.map((one) => (isLastUnknown(one) ? 1 : 0));
    return (state) =>
      state.fence === lease.fence &&
      state.leaseLeft === lease.leaseLeft &&
      state.isQuarantine === lease.isQuarantine &&
      state.first === lease.first &&
      state.waiting === lease.waiting &&
      state.delivery.every((one, place) => one === states[place]) &&
      state.attemptFence.every((one, place) => one === fences[place]) &&
      state.isUnknown.every((one, place) => one === unknown[place]);
  }

  #viewLease(nowMs: number) {
    const { fence, lease_until, quarantine, first_attempt, waiting = [] } = this.#lease ?? {};
    const leftMs = lease_until === undefined ? 0 : Date.parse(lease_until) - nowMs;
    return {
      fence: this.number(fence),
      leaseLeft: Math.max(0, Math.ceil(leftMs / TICK_MS)),
      isQuarantine: quarantine === undefined ? 0 : 1,
      first: first_attempt === undefined ? 0 : this.#ids.indexOf(first_attempt) + 1,
      waiting: toBits([...waiting].map((id) => this.#ids.indexOf(id))),
    };
  }
}

function isLastUnknown(one: Delivery | undefined): boolean {
  const last = one?.attempts.at(-1);
  return last !== undefined && isAmbiguous(last);
}
