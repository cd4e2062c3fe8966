import type { VirtualClock } from "../clock.ts";
import { DeliveryError } from "./delivery-error.ts";
import type { EventEnvelope } from "./envelope.ts";
import { renderInput } from "./input-transformer.ts";
import { valueAt } from "./json-path.ts";
import { type PendingDelivery, PendingTable, type StoredDelivery } from "./pending-table.ts";
import type { Deliver, Rule, RuleTarget } from "./rules.ts";

const DEFAULT_RETRY_ATTEMPTS = 185;
const DEFAULT_EVENT_AGE_S = 24 * 60 * 60;

/** With this maximum the default 185 retries spread over the default 24 hours, as in AWS. */
const MAX_BACKOFF_MS = 8 * 60_000;

/** Number of deliveries that did not reach their target. */
export interface DeliveryCounts {
  deadLettered: number;
  /** Exhausted without a dead-letter queue that accepted them. */
  dropped: number;
}

/**
 * Delivers events to targets at least once: stores them, attempts them at once, retries them with exponential backoff,
 * and finally sends them to the dead-letter queue. Source: EventBridge User Guide, "How EventBridge retries delivering
 * events".
 */
export class DeliveryQueue {
  readonly counts: DeliveryCounts = { deadLettered: 0, dropped: 0 };
  readonly #clock: VirtualClock;
  readonly #deliver: Deliver;
  readonly #table: PendingTable;
  readonly #waiting = new Map<number, StoredDelivery>();
  #inFlight = 0;
  #isClosed = false;

  constructor(path: string, clock: VirtualClock, deliver: Deliver) {
    this.#clock = clock;
    this.#deliver = deliver;
    this.#table = new PendingTable(path);
  }

  /** Number of attempts in progress. Retries that are due later do not count. */
  get inFlight(): number {
    return this.#inFlight;
  }

  /** Schedules the deliveries that an earlier process left pending. */
  resume(): void {
    for (const delivery of this.#table.all()) this.#plan(delivery);
  }

  /**
   * Stores the deliveries of matched events and starts their first attempts.
   * @returns one promise per delivery with the target's response to the first attempt. It resolves to undefined when
   * the attempt fails, and never rejects.
   */
  accept(matches: readonly { rule: Rule; event: EventEnvelope }[]): Promise<unknown>[] {
    const now = this.#clock.now();
    const deliveries = matches.flatMap(({ rule, event }) =>
      rule.targets.map((target) => newDelivery(rule, target, event, now)),
    );
    return this.#table.add(deliveries).map((delivery) => this.#attempt(delivery));
  }

  /** Whether a delivery of the rule waits for its next attempt. */
  isRetrying(ruleArn: string): boolean {
    return [...this.#waiting.values()].some((delivery) => delivery.ruleArn === ruleArn);
  }

  /** Stops. The next process repeats the attempts that are still in progress. */
  close(): void {
    this.#isClosed = true;
    this.#table.close();
  }

  #plan(delivery: StoredDelivery): void {
    this.#waiting.set(delivery.id, delivery);
    this.#clock.at(delivery.nextAttemptAt, async () => {
      this.#waiting.delete(delivery.id);
      await this.#attempt(delivery);
    });
  }

  async #attempt(delivery: StoredDelivery): Promise<unknown> {
    if (this.#isClosed) return undefined;
    const { target, event, acceptedAt: ingestedAtMs } = delivery;
    this.#inFlight++;
    try {
      const payload = renderInput(target, event, { ...delivery, ingestedAtMs });
      const answer = await this.#deliver(target.arn, payload, withMessageGroup(target, event));
      if (!this.#isClosed) this.#table.remove(delivery.id);
      return answer;
    } catch (thrown) {
      if (!this.#isClosed) await this.#afterFailure(delivery, DeliveryError.from(thrown));
      return undefined;
    } finally {
      this.#inFlight--;
    }
  }

  async #afterFailure(delivery: StoredDelivery, error: DeliveryError): Promise<void> {
    const { maximumRetryAttempts = DEFAULT_RETRY_ATTEMPTS, maximumEventAgeS = DEFAULT_EVENT_AGE_S } =
      delivery.target.retry ?? {};
    const now = this.#clock.now();
    const deadline = delivery.acceptedAt + maximumEventAgeS * 1000;
    if (!error.isRetryable) return this.#giveUp(delivery, error);
    if (delivery.failures >= maximumRetryAttempts) return this.#giveUp(delivery, error, "MaximumRetryAttempts");
    if (now >= deadline) return this.#giveUp(delivery, error, "MaximumEventAgeInSeconds");
    const backoffMs = Math.min(1000 * 2 ** delivery.failures, MAX_BACKOFF_MS);
    const retry = { ...delivery, failures: delivery.failures + 1, nextAttemptAt: Math.min(now + backoffMs, deadline) };
    this.#table.update(retry);
    this.#plan(retry);
  }

  async #giveUp(delivery: StoredDelivery, error: DeliveryError, exhausted?: string): Promise<void> {
    const isTaken = await this.#sendDeadLetter(delivery, {
      RULE_ARN: delivery.ruleArn,
      TARGET_ARN: delivery.target.arn,
      ERROR_CODE: error.code,
      ERROR_MESSAGE: error.message,
      ...(exhausted && { EXHAUSTED_RETRY_CONDITION: exhausted }),
      RETRY_ATTEMPTS: String(delivery.failures),
    });
    this.counts[isTaken ? "deadLettered" : "dropped"]++;
    if (!this.#isClosed) this.#table.remove(delivery.id);
  }

  async #sendDeadLetter(delivery: StoredDelivery, messageAttributes: Record<string, string>): Promise<boolean> {
    const { id, deadLetterArn } = delivery.target;
    if (!deadLetterArn) return false;
    try {
      await this.#deliver(deadLetterArn, JSON.stringify(delivery.event), { id, arn: deadLetterArn, messageAttributes });
      return true;
    } catch {
      return false;
    }
  }
}

/**
 * Replaces a JSON path in the message group by the value of the event. Source: EventBridge User Guide, "Dynamic path
 * parameters".
 */
function withMessageGroup(target: RuleTarget, event: EventEnvelope): RuleTarget {
  const path = target.sqs?.messageGroupId;
  return path?.startsWith("$.") ? { ...target, sqs: { messageGroupId: String(valueAt(path, event)) } } : target;
}

function newDelivery(rule: Rule, target: Rule["targets"][number], event: EventEnvelope, now: number): PendingDelivery {
  return {
    ruleName: rule.name,
    ruleArn: rule.arn,
    target,
    event,
    acceptedAt: now,
    failures: 0,
    nextAttemptAt: now,
  };
}
