import type { VirtualTime } from "./virtual-time.ts";

/** A message with its group, which is its team. */
export interface QueuedMessage<M> {
  readonly body: M;
  readonly group: string;
  /** How often the queue delivered it, the present time included. */
  receives: number;
  visibleMs: number;
  receivedMs: number;
}

interface Group<M> {
  readonly name: string;
  readonly visible: QueuedMessage<M>[];
  inFlight: number;
  /** Processing time, of which half is forgotten in {@link HALF_LIFE_MS}. */
  workMs: number;
  workAtMs: number;
  /** Whether the group stays noisy until its backlog is empty. */
  isNoisy: boolean;
}

/** The published thresholds of fair queues: share of messages in flight, their least number, share of processing time. */
const NOISY_SHARE = 0.1;
const NOISY_IN_FLIGHT = 30;
/** How far back "recent" processing time goes. AWS names no number. */
const HALF_LIFE_MS = 60_000;
/** Visibility timeout of the queues of webhooks. */
const REDELIVERY_MS = 180_000;

/**
 * A standard queue with message groups, as Amazon documents fair queues ("How Amazon SQS fair queues work"): a group is
 * noisy with more than a tenth of the messages in flight and at least 30 of them, or with more than a tenth of the
 * recent processing time. Messages of other groups come before its messages, until its backlog is empty. Of several
 * noisy groups, the one with the fewest messages in flight comes first.
 */
export class FairQueue<M> {
  readonly #time: VirtualTime;
  readonly #groups = new Map<string, Group<M>>();
  readonly #waiting = new Set<Group<M>>();
  #inFlight = 0;
  #pending = 0;
  onVisible: () => void = () => {};

  constructor(time: VirtualTime) {
    this.#time = time;
  }

  /** Number of messages that are visible, delayed or in flight. */
  get size(): number {
    return this.#pending;
  }

  get hasVisible(): boolean {
    return this.#waiting.size > 0;
  }

  send(body: M, group: string, delayMs: number): void {
    this.#pending++;
    this.#show({ body, group, receives: 0, visibleMs: 0, receivedMs: 0 }, delayMs);
  }

  /** Receives up to `most` visible messages: of quiet groups the longest visible first, then of noisy ones. */
  receive(most: number): QueuedMessage<M>[] {
    const nowMs = this.#time.now();
    const totalMs = this.#recentWorkMs(nowMs);
    const received: QueuedMessage<M>[] = [];
    for (let group = this.#first(nowMs, totalMs); group && received.length < most; ) {
      const message = group.visible.shift();
      if (!message) break;
      if (group.visible.length === 0) this.#waiting.delete(group);
      group.inFlight++;
      this.#inFlight++;
      message.receives++;
      message.receivedMs = nowMs;
      received.push(message);
      group = this.#first(nowMs, totalMs);
    }
    return received;
  }

  /** Ends the processing of a message. A failed one is visible again after the timeout since it was received. */
  end(message: QueuedMessage<M>, isDone: boolean): void {
    const group = this.#group(message.group);
    const nowMs = this.#time.now();
    group.workMs = recentWorkMs(group, nowMs) + nowMs - message.receivedMs;
    group.workAtMs = nowMs;
    group.inFlight--;
    this.#inFlight--;
    if (group.visible.length === 0) group.isNoisy = false;
    if (isDone) this.#pending--;
    else this.#show(message, message.receivedMs + REDELIVERY_MS - nowMs);
  }

  #show(message: QueuedMessage<M>, delayMs: number): void {
    this.#time.at(this.#time.now() + delayMs, () => {
      const group = this.#group(message.group);
      message.visibleMs = this.#time.now();
      group.visible.push(message);
      this.#waiting.add(group);
      this.onVisible();
    });
  }

  /** Returns the group whose message comes next. */
  #first(nowMs: number, totalMs: number): Group<M> | undefined {
    let quiet: Group<M> | undefined;
    let noisy: Group<M> | undefined;
    for (const group of this.#waiting) {
      if (this.#isNoisy(group, nowMs, totalMs)) {
        if (!noisy || group.inFlight < noisy.inFlight) noisy = group;
      } else if (!quiet || headMs(group) < headMs(quiet)) quiet = group;
    }
    return quiet ?? noisy;
  }

  #isNoisy(group: Group<M>, nowMs: number, totalMs: number): boolean {
    const hasManyInFlight = group.inFlight >= NOISY_IN_FLIGHT && group.inFlight > NOISY_SHARE * this.#inFlight;
    group.isNoisy ||= hasManyInFlight || recentWorkMs(group, nowMs) > NOISY_SHARE * totalMs;
    return group.isNoisy;
  }

  #recentWorkMs(nowMs: number): number {
    let sum = 0;
    for (const group of this.#groups.values()) sum += recentWorkMs(group, nowMs);
    return sum;
  }

  #group(name: string): Group<M> {
    const found = this.#groups.get(name) ?? {
      ...{ name, visible: [], inFlight: 0, workMs: 0, workAtMs: 0, isNoisy: false },
    };
    this.#groups.set(name, found);
    return found;
  }
}

const headMs = ({ visible }: Group<unknown>): number => visible[0]?.visibleMs ?? 0;

const recentWorkMs = ({ workMs, workAtMs }: Group<unknown>, nowMs: number): number =>
  workMs * 0.5 ** ((nowMs - workAtMs) / HALF_LIFE_MS);
