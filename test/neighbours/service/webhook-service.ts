import { contract as attemptContract } from "../../../functions/webhooks/attempt-delivery.ts";
import { contract as deliverContract } from "../../../functions/webhooks/deliver-event.ts";
import type { EventReference } from "../../../lib/events/catalogue/envelope.ts";
import type { AttemptMessage } from "../../../lib/events/webhooks/delivery.ts";
import type { WebhookEndpoint } from "../../../lib/events/webhooks/webhook-endpoint.ts";
import type { Log } from "../../../lib/runtime/log.ts";
import { setPorts } from "../../../lib/runtime/ports.ts";
import { attemptDelivery } from "../../../lib/services/webhooks/attempt-delivery.ts";
import { deliverEvents } from "../../../lib/services/webhooks/deliver-events.ts";
import {
  dispatchDueDeliveries,
  resumeSuspendedEndpoints,
} from "../../../lib/services/webhooks/dispatch-due-deliveries.ts";
import type { AttemptResult } from "../../../lib/services/webhooks/post-webhook.ts";
import { TeamScope } from "../../../lib/store/team-scope.ts";
import { FairQueue, type QueuedMessage } from "../cloud/fair-queue.ts";
import { FunctionPool } from "../cloud/function-pool.ts";
import type { VirtualTime } from "../cloud/virtual-time.ts";
import { MemoryTable, memoryDocuments } from "../table/memory-table.ts";
import type { RandomDraws } from "./random-draws.ts";
import { type WebhookDependencies, webhookDependencies } from "./webhook-dependencies.ts";

/** A sweep begins once a minute, up to some seconds after its time. */
const SWEEP_MS = 60_000;
const SWEEP_DELAY_MS = [0, 5_000] as const;
/**
 * Durations that are assumptions: the processor time of a request to a table or queue, of which an instance has one at a
 * time, the wait for its answer, and a visible message until its invocation begins.
 */
const PROCESSOR_MS = 1;
const REQUEST_MS = [2, 6] as const;
const START_MS = [5, 25] as const;

/** What a receiver does with a request that begins now. */
export type Receiver = (endpointId: string) => { readonly durationMs: number; readonly status: number };

const log = { info: () => {}, warn: () => {}, error: () => {}, metric: () => {} } as unknown as Log;

/**
 * The delivery of webhooks in virtual time: the real consumers, sweeper and stores, on queues, instances of functions and
 * a table that this folder models.
 */
export class WebhookService {
  readonly table = new MemoryTable();
  readonly endpoints = new Map<string, WebhookEndpoint[]>();
  readonly deliverPool: FunctionPool<EventReference>;
  readonly attemptPool: FunctionPool<AttemptMessage>;
  readonly #time: VirtualTime;
  readonly #random: RandomDraws;
  readonly #receiver: Receiver;
  readonly #onAttempt: (eventId: string) => void;
  readonly #events: FairQueue<EventReference>;
  readonly #attempts: FairQueue<AttemptMessage>;
  #announced = "";
  /** Errors of consumers, whose messages come again. */
  readonly errors: unknown[] = [];

  constructor(
    { time, random }: { readonly time: VirtualTime; readonly random: RandomDraws },
    receiver: Receiver,
    onAttempt: (eventId: string) => void,
  ) {
    this.#time = time;
    this.#random = random;
    this.#receiver = receiver;
    this.#onAttempt = onAttempt;
    this.#events = new FairQueue(time);
    this.#attempts = new FairQueue(time);
    const startMs = () => random.between(...START_MS);
    this.deliverPool = new FunctionPool(time, {
      ...{ queue: this.#events, startMs, ...sizesOf(deliverContract) },
      invoke: this.#inContainers((messages, deps) => this.#deliver(messages, deps)),
    });
    this.attemptPool = new FunctionPool(time, {
      ...{ queue: this.#attempts, startMs, ...sizesOf(attemptContract) },
      invoke: this.#inContainers((messages, deps) => this.#attempt(messages, deps)),
    });
    setPorts({ clock: time, ids: random.ids(), outbound: (() => this.#receive()) as never });
    this.#planSweep();
  }

  /** An event that the bus brings to the queue of webhooks now. */
  publish(event: EventReference): void {
    this.#events.send(event, event.team_id, 0);
  }

  /** Number of messages in both queues. */
  get queued(): number {
    return this.#events.size + this.#attempts.size;
  }

  async #receive(): Promise<Omit<AttemptResult, "durationMs">> {
    const [eventId = "", endpointId = ""] = this.#announced.split("/");
    this.#onAttempt(eventId);
    const { durationMs, status } = this.#receiver(endpointId);
    await this.#time.after(durationMs);
    return { status, response: "", error: status === 0 ? "timeout" : null };
  }

  async #deliver(messages: readonly QueuedMessage<EventReference>[], deps: WebhookDependencies) {
    const each = messages.map((source) => ({
      ...{ source, message: source.body, log, isRedelivered: source.receives > 1 },
    }));
    const failures = await deliverEvents(each, TeamScope.grant, deps);
    this.errors.push(...failures.map(({ error }) => error));
    return new Set(failures.map(({ delivery }) => delivery.source));
  }

  async #attempt(messages: readonly QueuedMessage<AttemptMessage>[], deps: WebhookDependencies) {
    const failed = new Set<QueuedMessage<AttemptMessage>>();
    const one = async (source: QueuedMessage<AttemptMessage>) => {
      const { body: message } = source;
      await attemptDelivery({ scope: TeamScope.grant(message.team_id), message, log }, deps).catch((error) => {
        failed.add(source);
        this.errors.push(error);
      });
    };
    await Promise.all(messages.map(one));
    return failed;
  }

  /** Runs the invocations of each instance with the dependencies of its container. */
  #inContainers<M, Result>(consume: (messages: readonly M[], deps: WebhookDependencies) => Promise<Result>) {
    const containers: WebhookDependencies[] = [];
    return (messages: readonly M[], instance: number) => {
      containers[instance] ??= this.#dependencies();
      return consume(messages, containers[instance]);
    };
  }

  #dependencies(): WebhookDependencies {
    let busyUntilMs = 0;
    const request = () => {
      const nowMs = this.#time.now();
      busyUntilMs = Math.max(busyUntilMs, nowMs) + PROCESSOR_MS;
      return this.#time.after(busyUntilMs - nowMs + this.#random.between(...REQUEST_MS));
    };
    return webhookDependencies({
      ...{ request, documents: memoryDocuments(this.table, request) },
      endpoints: (teamId) => this.endpoints.get(teamId) ?? [],
      enqueue: (message, delayMs) => this.#attempts.send(message, message.team_id, delayMs),
      announce: (attemptId) => {
        this.#announced = attemptId;
      },
    });
  }

  #planSweep(): void {
    const deps = this.#dependencies();
    const sweep = async () => {
      const nowMs = this.#time.now();
      await dispatchDueDeliveries(nowMs, deps);
      await resumeSuspendedEndpoints(nowMs, deps);
    };
    const plan = (minuteMs: number) =>
      this.#time.at(minuteMs + this.#random.between(...SWEEP_DELAY_MS), () => {
        void sweep().catch((error) => this.errors.push(error));
        plan(minuteMs + SWEEP_MS);
      });
    plan(this.#time.now() + SWEEP_MS);
  }
}

const sizesOf = ({ trigger }: typeof deliverContract | typeof attemptContract) => {
  if (trigger.kind !== "queue") throw new Error("not a consumer of a queue");
  return { most: trigger.maxConcurrency, batchSize: trigger.batchSize };
};
