import type { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import { expect } from "vitest";
import type { EventReference } from "../../../lib/events/catalogue/envelope.ts";
import type { AttemptMessage } from "../../../lib/events/webhooks/delivery.ts";
import { type Ports, setPorts } from "../../../lib/runtime/ports.ts";
import { attemptDelivery } from "../../../lib/services/webhooks/attempt-delivery.ts";
import { deliverEvents } from "../../../lib/services/webhooks/deliver-events.ts";
import { dispatchDueDeliveries } from "../../../lib/services/webhooks/dispatch-due-deliveries.ts";
import type { AttemptResult } from "../../../lib/services/webhooks/post-webhook.ts";
import { TeamScope } from "../../../lib/store/team-scope.ts";
import { SeededRandom } from "../support/seeded-random.ts";
import { StepScheduler } from "../support/step-scheduler.ts";
import { events, log, type RaceDependencies, raceDependencies } from "./race-dependencies.ts";

const START_MS = Date.UTC(2026, 4, 1, 8);
const MINUTE_MS = 60_000;
/** Visibility timeout of both queues. */
const REDELIVERY_MS = 180_000;
const MAX_RECEIVER_TURNS = 20;
/** Sweeps after which every delivery must have ended. */
const MAX_ROUNDS = 400;

/** Maximum messages of events in one invocation. */
const MAX_BATCH = 3;

/** A message that becomes visible at an instant (epoch ms). */
type Queued = { readonly dueMs: number } & (QueuedEvent | { readonly message: AttemptMessage });
interface QueuedEvent {
  readonly event: EventReference;
  readonly isRedelivered: boolean;
}

/**
 * Concurrent consumers of both queues whose events share one ordering key, with every request of the stores in random
 * order. Checks at each request to the receiver that none is open, that no earlier one can still take effect, and that
 * the version grows.
 */
export class DeliveryRace {
  nowMs = START_MS;
  readonly scheduler: StepScheduler;
  readonly accepted: string[] = [];
  attempts = 0;
  counted = 0;
  readonly #random: SeededRandom;
  readonly #queue: Queued[] = [];
  readonly #failures = new Map<string, number>();
  readonly #deps: RaceDependencies;
  #announced = { id: "", version: 0 };
  #open = 0;
  #version = 0;
  #unsafeUntilMs = 0;
  #tasks = 0;

  constructor(documents: DynamoDBDocumentClient, seed: number, faultPercent: number) {
    this.#random = new SeededRandom(seed);
    this.scheduler = new StepScheduler(this.#random);
    this.scheduler.faultPercent = faultPercent;
    this.#deps = this.#dependencies(documents);
    for (const event of events) {
      const copies = this.#random.isWithinPercent(30) ? 2 : 1;
      for (let copy = 0; copy < copies; copy++) this.#queue.push({ event, isRedelivered: false, dueMs: START_MS });
    }
    const outbound = (() => this.#receive()) as Ports["outbound"];
    setPorts({ clock: { now: () => this.nowMs }, outbound });
  }

  /** Runs until every event is delivered. @param isSwept whether the sweeper runs each minute. */
  async run(isSwept: boolean): Promise<void> {
    for (let round = 0; round < MAX_ROUNDS && this.isUnfinished; round++) {
      this.#startDue();
      await this.scheduler.run(async () => this.#startDue());
      const next = Math.min(...this.#queue.map(({ dueMs }) => dueMs), isSwept ? this.nowMs + MINUTE_MS : Infinity);
      if (next === Infinity) return;
      this.nowMs = Math.max(this.nowMs, next);
      if (isSwept) await dispatchDueDeliveries(this.nowMs, this.#deps);
    }
  }

  get isUnfinished(): boolean {
    return this.#queue.length > 0 || new Set(this.accepted).size < events.length;
  }

  /** The receiver: answers the request that the access log announced, or lets it time out. */
  async #receive(): Promise<AttemptResult> {
    const { id, version } = this.#announced;
    this.attempts++;
    expect(this.#open++).toBe(0);
    expect(this.nowMs).toBeGreaterThanOrEqual(this.#unsafeUntilMs);
    expect(version).toBeGreaterThan(this.#version);
    this.#version = version;
    // While a request is open, other consumers get as far as waiting for its lease.
    const turns = 1 + this.#random.integerBelow(MAX_RECEIVER_TURNS);
    for (let turn = 0; turn < turns; turn++) await this.scheduler.awaitTurn("the receiver works");
    this.#open--;
    const failures = this.#failures.get(id) ?? 0;
    const answer = { durationMs: 1, response: "", error: null };
    if (failures < 2 && this.#random.isWithinPercent(35)) {
      this.#failures.set(id, failures + 1);
      if (this.#random.isWithinPercent(50)) return { ...answer, status: 500 };
      this.#unsafeUntilMs = this.nowMs + MINUTE_MS;
      return { ...answer, status: 0, error: "timeout" };
    }
    this.accepted.push(id);
    return { ...answer, status: 204 };
  }

  #startDue(): void {
    const due = this.#queue.filter(({ dueMs }) => dueMs <= this.nowMs);
    const events: QueuedEvent[] = [];
    for (const one of due) {
      this.#queue.splice(this.#queue.indexOf(one), 1);
      if ("event" in one) events.push(one);
      else this.#startAttempt(one.message);
    }
    while (events.length > 0) this.#startEvents(events.splice(0, 1 + this.#random.integerBelow(MAX_BATCH)));
  }

  #startEvents(batch: readonly QueuedEvent[]): void {
    const ids = batch.map(({ event }) => event.event_id);
    this.scheduler.add(`events ${ids.join(" ")} (${this.#tasks++})`, async () => {
      const messages = batch.map(({ event, isRedelivered }) => ({ message: event, log, isRedelivered }));
      const failed = await deliverEvents(messages, TeamScope.grant, this.#deps);
      const dueMs = this.nowMs + REDELIVERY_MS;
      for (const { delivery } of failed) this.#queue.push({ event: delivery.message, isRedelivered: true, dueMs });
      for (const { error } of failed) rethrowUnlessFault(error);
    });
  }

  #startAttempt(message: AttemptMessage): void {
    this.scheduler.add(`attempt ${message.event_id} (${this.#tasks++})`, async () => {
      const request = { scope: TeamScope.grant("t"), message, log };
      await attemptDelivery(request, this.#deps).catch((error) => {
        this.#queue.push({ message, dueMs: this.nowMs + REDELIVERY_MS });
        rethrowUnlessFault(error);
      });
    });
  }

  #dependencies(documents: DynamoDBDocumentClient): RaceDependencies {
    const send = async (message: AttemptMessage, { delayS = 0 } = {}) => {
      this.#queue.push({ message, dueMs: this.nowMs + delayS * 1000 });
    };
    const sendAll = (messages: readonly AttemptMessage[], options = {}) =>
      Promise.all(messages.map((message) => send(message, options)));
    const record = async (_: TeamScope, entry: { readonly id: string }) => {
      const [id = "", , version] = entry.id.split("/");
      this.#announced = { id, version: Number(version) };
    };
    const addAttempt = async () => void this.counted++;
    return raceDependencies(this.#gate(documents), { send, sendAll, record, addAttempt });
  }

  /** Lets every request of the stores wait for its turn. */
  #gate(documents: DynamoDBDocumentClient): DynamoDBDocumentClient {
    const send = async (command: { readonly constructor: { readonly name: string } }) => {
      const fault = await this.scheduler.awaitTurn(command.constructor.name);
      if (fault === "request lost") throw new InjectedFault();
      const answer = await documents.send(command as never);
      if (fault === "answer lost") throw new InjectedFault();
      return answer;
    };
    return { send } as unknown as DynamoDBDocumentClient;
  }
}

class InjectedFault extends Error {}

function rethrowUnlessFault(error: unknown): void {
  if (!(error instanceof InjectedFault)) throw error;
}
