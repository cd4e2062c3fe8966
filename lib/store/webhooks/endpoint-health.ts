import * as z from "zod";
import { endpointHealth as healthResource } from "../../contract/resources.ts";
import {
  type EndpointHealth,
  type EndpointReference,
  endpointHealth,
  FAILURES_TO_SUSPEND,
  type Failure,
  PROBE_INTERVAL_MS,
  PROMPT_ATTEMPT_MS,
  speedAfter,
} from "../../events/webhooks/endpoint-health.ts";
import { isConditionMet, retryConditionFailed } from "../condition-failed.ts";
import { type DueItems, findDueItems } from "../due-index.ts";
import type { Key } from "../item.ts";
import type { ReadItem } from "../read-item.ts";
import { type ItemUpdate, setExpression, type Table } from "../table.ts";
import { failureUpdate, healthExpiryS } from "./health-updates.ts";

/** Index partition of endpoints with held deliveries. They are few, so one partition suffices. */
const DUE = `${healthResource.keyPrefix}due`;
/** Attempts to record a failure. Failures at the same moment all count, and may conflict this often. */
const MAX_RECORD_ATTEMPTS = 20;

const healthKey = ({ team_id, endpoint_id }: EndpointReference): Key => ({
  pk: `${healthResource.keyPrefix}${team_id}`,
  sk: endpoint_id,
});

const iso = (epochMs: number) => new Date(epochMs).toISOString();

const dueHealth = endpointHealth.extend({ due_at: z.string() });
/** Health of an endpoint whose held deliveries are due for a check. */
export type DueEndpointHealth = z.output<typeof dueHealth>;

/** Recent health of endpoints (docs/events.md, Delivery). All instants are epoch milliseconds. */
export class EndpointHealthStore {
  readonly #table: Table;

  constructor(table: Table) {
    this.#table = table;
  }

  /** Returns the health of an endpoint; only its reference before its first attempt. */
  async get({ team_id, endpoint_id }: EndpointReference): Promise<EndpointHealth> {
    const known = await this.#table.get(healthKey({ team_id, endpoint_id }), endpointHealth);
    return known ?? { team_id, endpoint_id };
  }

  /** Returns a read of an endpoint's health for a batch of reads. */
  readItem({ team_id, endpoint_id }: EndpointReference): ReadItem<EndpointHealth> {
    const reading = this.#table.readItem(healthKey({ team_id, endpoint_id }), endpointHealth);
    return { ...reading, parse: (items) => reading.parse(items) ?? { team_id, endpoint_id } };
  }

  /**
   * Records the failure of a delivery. Repeated failures of one delivery count once. A refusal ends the run of failures
   * and the suspension, because the receiver answers, but not the failure clock.
   * @param known health that the caller has read; saves a read if it is still current.
   */
  recordFailure(
    endpoint: EndpointReference,
    failure: Failure,
    nowMs: number,
    known?: EndpointHealth,
  ): Promise<EndpointHealth> {
    return retryConditionFailed(async (attempt) => {
      const seen = attempt === 1 && known ? known : await this.get(endpoint);
      const change = failureUpdate(endpoint, seen, failure, nowMs);
      return endpointHealth.parse(await this.#table.update(healthKey(endpoint), change));
    }, MAX_RECORD_ATTEMPTS);
  }

  /** Suspends an endpoint, unless it is suspended or a success intervened. */
  async suspend(endpoint: EndpointReference, nowMs: number): Promise<void> {
    await this.#changeIf(endpoint, {
      UpdateExpression: "SET parked_at = :now, due_shard = :due, due_at = :probe",
      ConditionExpression: "attribute_not_exists(parked_at) AND size(failed) >= :most",
      ExpressionAttributeValues: {
        ":now": iso(nowMs),
        ":due": DUE,
        ":probe": iso(nowMs + PROBE_INTERVAL_MS),
        ":most": FAILURES_TO_SUSPEND,
      },
    });
  }

  /**
   * Clears all failures. Held deliveries are due for dispatch from now on. A prompt probe also ends the slowness, which
   * would hold back what waits.
   * @param tookMs duration of the successful attempt.
   */
  async clearFailures(
    endpoint: EndpointReference,
    { parked_at }: EndpointHealth,
    nowMs: number,
    tookMs = Number.POSITIVE_INFINITY,
  ): Promise<void> {
    const forget = "REMOVE failed, first_failed_at, failing_since, parked_at";
    const ended = tookMs < PROMPT_ATTEMPT_MS ? `, prompt_from = :now ${forget}, slow_until, slow_ms` : ` ${forget}`;
    await this.#changeIf(endpoint, {
      UpdateExpression: parked_at === undefined ? forget : `SET due_at = :now${ended}`,
      ConditionExpression: "attribute_exists(pk)",
      ...(parked_at === undefined ? {} : { ExpressionAttributeValues: { ":now": iso(nowMs) } }),
    });
  }

  /** Resets the health on request of the team: clears failures, slowness, and the receiver's pause. */
  async clearAll(endpoint: EndpointReference, nowMs: number): Promise<void> {
    await this.clearFailures(endpoint, await this.get(endpoint), nowMs);
    await this.#changeIf(endpoint, {
      UpdateExpression: "REMOVE hold_until, slow_until, slow_ms, prompt_from",
      ConditionExpression: "attribute_exists(pk)",
    });
  }

  /**
   * Records the duration of an attempt if it changes how fast the endpoint is known to be (docs/events.md, Delivery). A
   * prompt attempt at a prompt endpoint costs no write, and slow ones cost one a minute.
   * @returns whether it recorded anything.
   */
  async recordDuration(
    { team_id, endpoint_id }: EndpointReference,
    tookMs: number,
    nowMs: number,
    known: EndpointHealth,
  ): Promise<boolean> {
    const speed = speedAfter(known, tookMs, nowMs);
    if (!speed) return false;
    const set = setExpression({ team_id, endpoint_id, ...speed, expires_at: healthExpiryS(nowMs) });
    const UpdateExpression = `${set.UpdateExpression}${"slow_until" in speed ? " REMOVE prompt_from" : ""}`;
    await this.#table.update(healthKey({ team_id, endpoint_id }), { ...set, UpdateExpression });
    return true;
  }

  /** Pauses all deliveries of an endpoint until an instant, unless a longer pause is set. */
  async pauseUntil(endpoint: EndpointReference, untilMs: number): Promise<void> {
    await this.#changeIf(endpoint, {
      UpdateExpression: "SET hold_until = :until",
      ConditionExpression: "attribute_exists(pk) AND (attribute_not_exists(hold_until) OR hold_until < :until)",
      ExpressionAttributeValues: { ":until": iso(untilMs) },
    });
  }

  /** Claims the probe of this minute. @returns whether the caller got it. */
  claimProbe(endpoint: EndpointReference, nowMs: number): Promise<boolean> {
    return this.#changeIf(endpoint, {
      UpdateExpression: "SET due_at = :next",
      ConditionExpression: "attribute_exists(parked_at) AND due_at <= :now",
      ExpressionAttributeValues: { ":now": iso(nowMs), ":next": iso(nowMs + PROBE_INTERVAL_MS) },
    });
  }

  /** Schedules the next dispatch to a recovered endpoint. @returns false if another caller scheduled it. */
  scheduleResume({ due_at, ...endpoint }: DueEndpointHealth, nextMs: number): Promise<boolean> {
    return this.#changeIf(endpoint, {
      UpdateExpression: "SET due_at = :next",
      ConditionExpression: "attribute_not_exists(parked_at) AND due_at = :seen",
      ExpressionAttributeValues: { ":seen": due_at, ":next": iso(nextMs) },
    });
  }

  /** Returns endpoints whose held deliveries are due for a check, and the due time of the next one. */
  listDue(nowMs: number): Promise<DueItems<DueEndpointHealth>> {
    const search = { partitions: [DUE], schema: dueHealth, dueAt: (health: DueEndpointHealth) => health.due_at };
    return findDueItems(this.#table, search, iso(nowMs));
  }

  #changeIf(endpoint: EndpointReference, change: ItemUpdate): Promise<boolean> {
    return isConditionMet(this.#table.update(healthKey(endpoint), change));
  }
}
