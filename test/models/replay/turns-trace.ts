import type { EventReference } from "../../../lib/events/catalogue/envelope.ts";
import { SeededRandom } from "../../unit/support/seeded-random.ts";
import { StepScheduler } from "../../unit/support/step-scheduler.ts";
import { events } from "../../unit/webhooks/race-dependencies.ts";
import { deliveryTurns } from "../delivery-turns.ts";
import type { Model } from "../explore-model.ts";
import { DELIVERED, OPEN, type TurnsState } from "../turns-state.ts";
import type { ObservedEffect } from "./replay-trace.ts";
import { StoredTurns, TICK_MS } from "./stored-turns.ts";
import { explainStep, isAt, isBound, type Work } from "./turns-explained.ts";
import { type QueuedMessage, TurnsQueue } from "./turns-queue.ts";
import { TurnsReceiver } from "./turns-receiver.ts";
import { TurnsRecord } from "./turns-record.ts";
import { LostRequest, type TurnsStage } from "./turns-stage.ts";

const STARTS_AT_MS = Date.UTC(2026, 4, 1, 8);
/** No run takes longer. */
const ENDS_AT_MS = STARTS_AT_MS + 24 * 3_600_000;
/** Visibility timeout of both queues. */
const REDELIVERY_MS = 180_000;
const SWEEP_MS = 60_000;
const IDS = events.map(({ event_id }) => event_id);
/** Room for every run, with the durations of the service in ticks. */
const SIZE = {
  ...{ workers: 5, deliveries: events.length, leases: 200, crashes: 100, messages: 100, hasPauses: true },
  durations: { attempt: 3, quarantine: 12, margin: 1 },
};

/**
 * One run of the real consumers of events and attempts, and of the sweeper: events of one endpoint and ordering key. The
 * seed decides the order of requests, the passing of time, the answers of the receiver and the faults.
 */
export class TurnsTrace {
  readonly model: Model<TurnsState>;
  readonly #stage: TurnsStage;
  readonly #random: SeededRandom;
  readonly #turns: StepScheduler;
  readonly #stored = new StoredTurns(IDS);
  readonly #queue = new TurnsQueue(IDS.length);
  readonly #receiver: TurnsReceiver;
  readonly #record: TurnsRecord;
  readonly #works = new Map<string, Work>();
  readonly #slots = Array.from({ length: SIZE.workers }, (_, slot) => slot);
  /** Whether requests get lost. Then the sweeper runs, and a message may come again. */
  readonly #isFaulty: boolean;
  /** Ticks that pass at a time. */
  readonly #jumps: readonly number[];
  #nowMs = STARTS_AT_MS;
  #sweptMs = STARTS_AT_MS;
  #tasks = 0;

  constructor(seed: number, stage: TurnsStage) {
    this.#stage = stage;
    this.#random = new SeededRandom(seed);
    this.#turns = new StepScheduler(this.#random);
    this.#isFaulty = seed % 2 === 1;
    this.#turns.faultPercent = this.#isFaulty ? 4 : 0;
    // In every fourth run, time passes so fast that leases expire under their workers.
    this.#jumps = seed % 4 === 3 ? [1, 16, 17] : [1, 1, 1, 1, 2, 3, 16];
    this.#receiver = new TurnsReceiver(this.#random, this.#turns, (text, rules) => this.#record.add(text, rules));
    const parts = { stored: this.#stored, queue: this.#queue, receiver: this.#receiver, isFaulty: this.#isFaulty };
    this.#record = new TurnsRecord({ ...parts, now: () => this.#nowMs });
    const copies = IDS.map(() => (this.#random.isWithinPercent(50) ? 1 + this.#random.integerBelow(3) : 1));
    const model = deliveryTurns({ ...SIZE, copies });
    const crashes = this.#isFaulty ? SIZE.crashes - 1 : SIZE.crashes;
    this.model = { ...model, initial: { ...model.initial, crashes } };
    for (const [delivery, count] of copies.entries())
      for (let copy = 0; copy < count; copy++) this.#enqueue({ delivery, isEvent: true, dueMs: STARTS_AT_MS });
  }

  async run(): Promise<readonly ObservedEffect<TurnsState>[]> {
    await this.#stage.prepare({
      awaitTurn: (step) => {
        if (this.#running) this.#running.waits = step;
        return this.#turns.awaitTurn(step);
      },
      isKilled: () => this.#receiver.mustAnswer(this.#running) || this.#random.isWithinPercent(50),
      now: () => this.#nowMs,
      enqueue: ({ event_id }, delayMs, isRetry) =>
        this.#enqueue({ delivery: IDS.indexOf(event_id), isEvent: false, dueMs: this.#nowMs + delayMs, isRetry }),
      begin: (fence, eventId) => this.#receiver.begin(this.#stored.number(fence), IDS.indexOf(eventId), this.#running),
      answer: (fence) => this.#receiver.answer(this.#stored.number(fence)),
    });
    this.#addClock();
    await this.#turns.run(() => this.#observe());
    this.#record.addEnd();
    return this.#record.effects;
  }

  get #running(): Work | undefined {
    return this.#works.get((this.#turns.trace.at(-1) ?? "").split(":")[0] ?? "");
  }

  #enqueue(message: QueuedMessage): void {
    this.#queue.add(message);
    const name = `${message.isEvent ? "event" : "attempt"} ${message.delivery + 1} (${++this.#tasks})`;
    const isReady = () => this.#slots.length > 0 && message.dueMs <= this.#nowMs;
    this.#turns.add(name, () => this.#receive(name, message), isReady);
  }

  async #receive(name: string, message: QueuedMessage): Promise<void> {
    this.#queue.remove(message);
    const { delivery, isEvent, isRedelivered = false } = message;
    const slot = this.#slots.shift() ?? 0;
    const work: Work = { slot, delivery, isEvent, waits: "", hasRead: false, isOver: false, isFailed: false };
    this.#works.set(name, work);
    const event = events[delivery] as EventReference;
    const attempt = { ...event, endpoint_id: "e", order_key: "one key", probe: false };
    const error = await (isEvent ? this.#stage.deliver(event, isRedelivered) : this.#stage.attempt(attempt));
    Object.assign(work, { isOver: true, waits: "", isFailed: error !== undefined });
    if (error === undefined) return;
    this.#enqueue({ delivery, isEvent, dueMs: this.#nowMs + REDELIVERY_MS, isRedelivered: true });
    const isLate = /no time for the request/.test(String(error));
    if (!this.#isFaulty || !(error instanceof LostRequest || isLate)) throw error;
  }

  /** Moves the clock, to the next thing that happens if nothing is under way. */
  #addClock(): void {
    const isReady = () =>
      this.#mayTick() && (this.#isIdle ? this.#nextMs < Infinity : this.#random.isWithinPercent(30));
    this.#turns.add("clock", async () => this.#passTime(), isReady);
  }

  get #isIdle(): boolean {
    return this.#works.size === 0 && this.#queue.nextMs > this.#nowMs;
  }

  get #isSwept(): boolean {
    return this.#isFaulty && this.#stored.states.some((one) => one !== DELIVERED);
  }

  get #nextMs(): number {
    return Math.min(this.#queue.nextMs, this.#isSwept ? this.#sweptMs + SWEEP_MS : Infinity);
  }

  #mayTick(): boolean {
    return !this.#receiver.isLate && ![...this.#works.values()].some((work) => isBound(work, this.#isFaulty));
  }

  #passTime(): void {
    if (this.#nowMs > ENDS_AT_MS) throw new Error("a delivery never ends");
    const isIdle = this.#isIdle;
    let ticks = this.#random.pick(this.#jumps);
    while (isIdle ? this.#nowMs < this.#nextMs : ticks-- > 0 && this.#mayTick()) {
      this.#nowMs += TICK_MS;
      this.#receiver.tick();
      this.#record.add("clock", ["time passes"]);
      this.#record.addDue();
    }
    this.#addClock();
  }

  /** Records what the last step did. */
  async #observe(): Promise<void> {
    const text = this.#turns.trace.at(-1) ?? "";
    const [, task = "", step = "", fault] = /^(.*?): (.*?)(?: \((request lost|answer lost)\))?$/.exec(text) ?? [];
    const work = this.#works.get(task);
    if (!work) return this.#sweep();
    const { states, fence } = this.#stored;
    const before = { wasHeld: this.#stored.isHeldAt(this.#nowMs), wasOpen: states[work.delivery] === OPEN };
    const scheduled = this.#stored.update(await this.#stage.readItems());
    for (const [delivery, one] of this.#stored.states.entries()) if (one === DELIVERED) this.#queue.showRetry(delivery);
    work.hasRead ||= step === "next";
    if (step === "response") this.#receiver.end(work, fault !== undefined);
    const after = { isPaused: this.#stored.isPausedAt(this.#nowMs), isLent: this.#stored.fence !== fence, scheduled };
    const about = { ...before, ...after, hasTakenEffect: this.#receiver.takeEffect() };
    this.#record.addAll(`${text} then ${work.waits}`, explainStep(work, step, fault, about), isAt(work));
    this.#record.addDue();
    if (!work.isOver) return;
    this.#works.delete(task);
    this.#slots.push(work.slot);
  }

  async #sweep(): Promise<void> {
    if (!this.#isSwept || this.#nowMs < this.#sweptMs + SWEEP_MS) return;
    this.#sweptMs = this.#nowMs;
    const before = this.#queue.size;
    if (this.#stored.states.includes(OPEN)) await this.#stage.sweep(this.#nowMs);
    this.#record.addSwept(before);
  }
}
