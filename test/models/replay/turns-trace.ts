import type { EventReference } from "../../../lib/events/catalogue/envelope.ts";
import type { AttemptMessage } from "../../../lib/events/webhooks/delivery.ts";
import { SeededRandom } from "../../unit/support/seeded-random.ts";
import { StepScheduler } from "../../unit/support/step-scheduler.ts";
import { events } from "../../unit/webhooks/race-dependencies.ts";
import { deliveryTurns } from "../delivery-turns.ts";
import type { Model } from "../explore-model.ts";
import { DELIVERED, OPEN, type TurnsState } from "../turns-state.ts";
import type { ObservedEffect } from "./replay-trace.ts";
import { StoredTurns, TICK_MS } from "./stored-turns.ts";
import { explainStep, isAt } from "./turns-explained.ts";
import { TurnsReceiver } from "./turns-receiver.ts";
import { LostRequest, type TurnsStage } from "./turns-stage.ts";

const STARTS_AT_MS = Date.UTC(2026, 4, 1, 8);
/** No run takes longer. */
const ENDS_AT_MS = STARTS_AT_MS + 24 * 3_600_000;
/** Visibility timeout of both queues. */
const REDELIVERY_MS = 180_000;
const SWEEP_MS = 60_000;
const WORKERS = 5;
const IDS = events.map(({ event_id }) => event_id);

/** A message in one of the queues. */
interface Queued {
  /** The delivery of the model. */
  readonly delivery: number;
  readonly isEvent: boolean;
  dueMs: number;
  /** Whether it is that of an attempt that is due later. */
  isRetry: boolean;
}

/** An invocation, and the worker of the model that it is. */
export interface Work {
  readonly slot: number;
  readonly delivery: number;
  /** Whether it delivers an event. */
  readonly isEvent: boolean;
  /** The step that it waits for. */
  waits: string;
  /** Whether it knows deliveries that are not due, and takes them off the waiting list with its next write. */
  hasRead: boolean;
  isOver: boolean;
  /** Whether its message comes again. */
  isFailed: boolean;
}

/**
 * One run of the real consumers of events and attempts, and of the sweeper: events of one endpoint and ordering key. The
 * seed decides the order of requests, the passing of time, the answers of the receiver and the faults.
 */
export class TurnsTrace {
  readonly effects: ObservedEffect<TurnsState>[] = [];
  readonly model: Model<TurnsState>;
  readonly #stage: TurnsStage;
  readonly #chance: SeededRandom;
  readonly #turns: StepScheduler;
  readonly #stored = new StoredTurns(IDS);
  readonly #receiver: TurnsReceiver;
  readonly #queue: Queued[] = [];
  readonly #works = new Map<string, Work>();
  readonly #slots = Array.from({ length: WORKERS }, (_, slot) => slot);
  /** Whether requests get lost. Then the sweeper runs, and a message may come again. */
  readonly #isFaulty: boolean;
  readonly #jumps: readonly number[];
  #nowMs = STARTS_AT_MS;
  #sweptMs = STARTS_AT_MS;
  #tasks = 0;

  constructor(seed: number, stage: TurnsStage) {
    this.#stage = stage;
    this.#chance = new SeededRandom(seed);
    this.#turns = new StepScheduler(this.#chance);
    this.#isFaulty = seed % 2 === 1;
    // In every fourth run, time passes so fast that leases expire under their workers.
    this.#jumps = seed % 4 === 3 ? [1, 16, 17] : [1, 1, 1, 1, 2, 3, 16];
    this.#turns.faultPercent = this.#isFaulty ? 4 : 0;
    this.#receiver = new TurnsReceiver(this.#chance, this.#turns, (text, rules) => this.#add(text, rules));
    const copies = events.map(() =>
      this.#chance.isWithinPercent(50) ? 1 + this.#chance.integerBelow(3) : 1,
    );
    const durations = { attempt: 3, quarantine: 12, margin: 1 };
    const size = { workers: WORKERS, deliveries: events.length, leases: 200, crashes: 100, messages: 100 };
    const model = deliveryTurns({ ...size, durations, hasPauses: true, copies });
    const crashes = this.#isFaulty ? size.crashes - 1 : size.crashes;
    this.model = { ...model, initial: { ...model.initial, crashes } };
    for (const [delivery, count] of copies.entries())
      for (let copy = 0; copy < count; copy++) this.#enqueue({ delivery, isEvent: true, dueMs: STARTS_AT_MS });
  }

  async run(): Promise<readonly ObservedEffect<TurnsState>[]> {
    await this.#stage.prepare({
      awaitTurn: (step) => {
        const work = this.#running;
        if (work) work.waits = step;
        return this.#turns.awaitTurn(step);
      },
      isKilled: () => this.#receiver.mustAnswer(this.#running) || this.#chance.isWithinPercent(50),
      now: () => this.#nowMs,
      enqueue: (message, delayMs, isRetry) => this.#send(message, this.#nowMs + delayMs, isRetry),
      begin: (fence, eventId) => this.#receiver.begin(this.#stored.number(fence), IDS.indexOf(eventId), this.#running),
      answer: (fence) => this.#receiver.answer(this.#stored.number(fence)),
    });
    this.#addClock();
    await this.#turns.run(() => this.#observe());
    const isOver = ({ step, delivery }: TurnsState) =>
      step.every((one) => one === 0) && delivery.every((one) => one === DELIVERED);
    this.#add("the end", [], isOver);
    return this.effects;
  }

  get #running(): Work | undefined {
    return this.#works.get((this.#turns.trace.at(-1) ?? "").split(":")[0] ?? "");
  }

  #send({ event_id }: AttemptMessage, dueMs: number, isRetry: boolean): void {
    this.#enqueue({ delivery: IDS.indexOf(event_id), isEvent: false, dueMs, isRetry });
  }

  #enqueue({ isRetry = false, ...message }: Omit<Queued, "isRetry"> & { readonly isRetry?: boolean }, again = false) {
    if (isRetry) this.#showRetries(({ delivery }) => delivery === message.delivery);
    const queued: Queued = { ...message, isRetry };
    this.#queue.push(queued);
    const name = `${message.isEvent ? "event" : "attempt"} ${message.delivery + 1} (${++this.#tasks})`;
    const isReady = () => this.#slots.length > 0 && queued.dueMs <= this.#nowMs;
    this.#turns.add(name, () => this.#receive(name, queued, again), isReady);
  }

  /** The model has the message of an attempt that is due later as soon as it is due, or as the delivery ends. */
  #showRetries(isMeant: (message: Queued) => boolean): void {
    for (const one of this.#queue) if (isMeant(one)) one.isRetry = false;
  }

  async #receive(name: string, queued: Queued, isRedelivered: boolean): Promise<void> {
    this.#queue.splice(this.#queue.indexOf(queued), 1);
    const { delivery, isEvent } = queued;
    const work: Work = {
      slot: this.#slots.shift() ?? 0,
      delivery,
      isEvent,
      waits: "",
      hasRead: false,
      isOver: false,
      isFailed: false,
    };
    this.#works.set(name, work);
    const event = events[delivery] as EventReference;
    const message = { ...event, endpoint_id: "e", order_key: "one key", probe: false };
    const error = await (isEvent ? this.#stage.deliver(event, isRedelivered) : this.#stage.attempt(message));
    Object.assign(work, { isOver: true, waits: "" });
    if (error === undefined) return;
    work.isFailed = true;
    this.#enqueue({ delivery, isEvent, dueMs: this.#nowMs + REDELIVERY_MS }, true);
    if (!(error instanceof LostRequest || /no time for the request/.test(String(error)))) throw error;
  }

  /** Moves the clock, to the next thing that happens if nothing is under way. */
  #addClock(): void {
    const isReady = () =>
      this.#mayTick() && (this.#isIdle ? this.#nextMs < Infinity : this.#chance.isWithinPercent(30));
    this.#turns.add("clock", async () => this.#passTime(), isReady);
  }

  get #isIdle(): boolean {
    return this.#works.size === 0 && !this.#queue.some(({ dueMs }) => dueMs <= this.#nowMs);
  }

  get #isSwept(): boolean {
    return this.#isFaulty && this.#stored.states.some((one) => one !== DELIVERED);
  }

  get #nextMs(): number {
    return Math.min(...this.#queue.map(({ dueMs }) => dueMs), this.#isSwept ? this.#sweptMs + SWEEP_MS : Infinity);
  }

  /**
   * No time passes between the clock that a worker has read for a write, and the write. A request begins too late only in a
   * run with faults.
   */
  #mayTick(): boolean {
    const steps = ["acquire", "acquire first", "join", "join stored", "pass on"];
    const bound = this.#isFaulty ? steps : [...steps, "check", "attempt"];
    const isBound = ({ waits, hasRead }: Work) => bound.includes(waits) || (waits === "release" && hasRead);
    return !this.#receiver.isLate && ![...this.#works.values()].some(isBound);
  }

  #passTime(): void {
    if (this.#nowMs > ENDS_AT_MS) throw new Error("a delivery never ends");
    const isIdle = this.#isIdle;
    let ticks = this.#chance.pick(this.#jumps);
    while (isIdle ? this.#nowMs < this.#nextMs : ticks-- > 0 && this.#mayTick()) {
      this.#nowMs += TICK_MS;
      this.#receiver.tick();
      this.#add("time passes", ["time passes"]);
      this.#takeDue();
    }
    this.#addClock();
  }

  #takeDue(): void {
    for (let due = this.#stored.takeDue(this.#nowMs); due !== undefined; due = this.#stored.takeDue(this.#nowMs)) {
      this.#showRetries(({ delivery }) => delivery === due);
      this.#add(`delivery ${due + 1}`, ["a delivery is due again"]);
    }
  }

  /** Records what the last step did. */
  async #observe(): Promise<void> {
    const text = this.#turns.trace.at(-1) ?? "";
    const [, task = "", step = "", fault] = /^(.*?): (.*?)(?: \((request lost|answer lost)\))?$/.exec(text) ?? [];
    const work = this.#works.get(task);
    if (!work) return this.#sweep();
    const before = {
      wasHeld: this.#stored.isHeldAt(this.#nowMs),
      wasOpen: this.#stored.states[work.delivery] === OPEN,
    };
    const { fence } = this.#stored;
    const scheduled = this.#stored.update(await this.#stage.readItems());
    this.#showRetries(({ delivery }) => this.#stored.states[delivery] === DELIVERED);
    work.hasRead ||= step === "next";
    if (step === "response") this.#receiver.end(work, fault !== undefined);
    const isPaused = this.#stored.isPausedAt(this.#nowMs);
    if (work.isFailed && !this.#isFaulty) throw new Error("an attempt failed");
    const about = {
      ...before,
      isPaused,
      isLent: this.#stored.fence !== fence,
      scheduled,
      hasTakenEffect: this.#receiver.takeEffect(),
    };
    const rules = explainStep(work, step, fault, about);
    for (const [place, rule] of rules.entries())
      this.#add(text, rule, place === rules.length - 1 ? isAt(work) : undefined, place < rules.length - 1);
    if (rules.length === 0) this.#add(text, [], isAt(work));
    if (work.isOver) {
      this.#works.delete(task);
      this.#slots.push(work.slot);
    }
    this.#takeDue();
  }

  async #sweep(): Promise<void> {
    if (!this.#isSwept || this.#nowMs < this.#sweptMs + SWEEP_MS) return;
    this.#sweptMs = this.#nowMs;
    const before = this.#queue.length;
    if (this.#stored.states.includes(OPEN)) await this.#stage.sweep(this.#nowMs);
    for (const { delivery } of this.#queue.slice(before)) {
      const isIt = (state: TurnsState) => state.delivery[delivery] === OPEN;
      this.#add(`the sweeper ${delivery + 1}`, ["the sweeper finds a delivery"], isIt, true);
    }
    this.#add("the sweep", []);
  }

  #add(text: string, rules: readonly string[], isToo = (_: TurnsState) => true, isBetween = false): void {
    const isStored = isBetween ? () => true : this.#compare();
    const waits = this.#running?.waits ?? "";
    const described = `${text}: ${rules} then ${waits} | ${this.#stored.describe(this.#nowMs)}`;
    this.effects.push({ text: described, rules, isSeen: (state) => isStored(state) && isToo(state) });
  }

  #compare(): (state: TurnsState) => boolean {
    const isStored = this.#stored.compareAt(this.#nowMs);
    const { received } = this.#receiver;
    const count = (isEvent: boolean) =>
      IDS.map(
        (_, place) =>
          this.#queue.filter((one) => one.delivery === place && one.isEvent === isEvent && !one.isRetry).length,
      );
    const [ofEvents, ofAttempts] = [count(true), count(false)];
    // After a crash, the model may have messages that were never sent.
    const isAsMany = this.#isFaulty
      ? (one: number, real: number) => one >= real
      : (one: number, real: number) => one === real;
    return (state) =>
      isStored(state) &&
      state.received === received &&
      ofEvents.every((real, place) => state.events[place] === real) &&
      ofAttempts.every((real, place) => isAsMany((state.messages[place] ?? 0) + (state.delayed[place] ?? 0), real));
  }
}
