import { DELIVERED, OPEN, type TurnsState } from "../turns-state.ts";
import type { ObservedEffect } from "./replay-trace.ts";
import type { StoredTurns } from "./stored-turns.ts";
import type { TurnsQueue } from "./turns-queue.ts";
import type { TurnsReceiver } from "./turns-receiver.ts";

/** What a run consists of. */
interface TurnsParts {
  readonly stored: StoredTurns;
  readonly queue: TurnsQueue;
  readonly receiver: TurnsReceiver;
  /** Epoch ms. */
  readonly now: () => number;
  /** Whether requests get lost. After that, the model may have messages that were never sent. */
  readonly isFaulty: boolean;
}

/** The effects of a run, each with what the store, the queues and the receiver hold after it. */
export class TurnsRecord {
  readonly effects: ObservedEffect<TurnsState>[] = [];
  readonly #parts: TurnsParts;

  constructor(parts: TurnsParts) {
    this.#parts = parts;
  }

  /** Adds an effect, and what else a state of the model must show after it. */
  add(text: string, rules: readonly string[], isToo: (state: TurnsState) => boolean = () => true): void {
    const { stored, queue, receiver, now, isFaulty } = this.#parts;
    const [isStored, isQueued, { received }] = [stored.compareAt(now()), queue.compare(isFaulty), receiver];
    const isSeen = (state: TurnsState) =>
      state.received === received && isStored(state) && isQueued(state) && isToo(state);
    this.effects.push({ text: `${text}: ${rules}; ${stored.describe(now())}`, rules, isSeen });
  }

  /** Adds several steps of the model that are one step of a worker. */
  addAll(text: string, steps: readonly (readonly string[])[], isToo: (state: TurnsState) => boolean): void {
    for (const rules of steps.slice(0, -1)) this.effects.push({ text: `${text}: ${rules}`, rules, isSeen: () => true });
    this.add(text, steps.at(-1) ?? [], isToo);
  }

  /** Adds that deliveries became due. */
  addDue(): void {
    const { stored, queue, now } = this.#parts;
    for (let due = stored.takeDue(now()); due !== undefined; due = stored.takeDue(now())) {
      queue.showRetry(due);
      this.add(`delivery ${due + 1}`, ["a delivery is due again"]);
    }
  }

  /** Adds the messages that the sweeper sent. @param before number of messages before its run. */
  addSwept(before: number): void {
    const found = this.#parts.queue.deliveriesFrom(before);
    const rules = ["the sweeper finds a delivery"];
    for (const one of found)
      this.effects.push({ text: `sweeper: ${one + 1}`, rules, isSeen: ({ delivery }) => delivery[one] === OPEN });
    this.add("the sweeper", []);
  }

  /** Adds that nothing is left to do. */
  addEnd(): void {
    this.add(
      "the end",
      [],
      ({ step, delivery }) => step.every((one) => one === 0) && delivery.every((one) => one === DELIVERED),
    );
  }
}
