import * as z from "zod";
import { endpointHealth as healthResource } from "../contract/resources.ts";
import {
  clockAfterFailure,
  type EndpointHealth,
  type EndpointName,
  endpointHealth,
  FAILURES_TO_PARK,
  type FailureClock,
  isSlow,
  PROBE_INTERVAL_MS,
  SLOW_FOR_MS,
} from "../events/endpoint-health.ts";
import { ConditionFailed } from "./condition-failed.ts";
import type { ReadItem } from "./read-item.ts";
import { type Expression, type Key, setting, type Table } from "./table.ts";

/** Index partition of endpoints with held deliveries. They are few, so one partition suffices. */
const DUE = `${healthResource.keyPrefix}due`;
/** Retention of health: an endpoint without failures for this long starts anew. */
const KEPT_S = 40 * 24 * 60 * 60;
/** Attempts to record a failure. Failures at the same moment all count, and may conflict this often. */
const NOTE_ATTEMPTS = 20;

const healthKey = ({ team_id, endpoint_id }: EndpointName): Key => ({
  pk: `${healthResource.keyPrefix}${team_id}`,
  sk: endpoint_id,
});

const iso = (epochMs: number) => new Date(epochMs).toISOString();

const dueHealth = endpointHealth.extend({ due_at: z.string() });
/** Health of an endpoint whose held deliveries are due for a check. */
export type DueHealth = z.output<typeof dueHealth>;

type Change = Expression & { readonly UpdateExpression: string };

/** Recent health of endpoints (docs/events.md, Delivery). All instants are epoch milliseconds. */
export class EndpointHealthStore {
  readonly #table: Table;

  constructor(table: Table) {
    this.#table = table;
  }

  /** Returns the health of an endpoint; only its reference if it never failed. */
  async get({ team_id, endpoint_id }: EndpointName): Promise<EndpointHealth> {
    const known = await this.#table.get(healthKey({ team_id, endpoint_id }), endpointHealth);
    return known ?? { team_id, endpoint_id };
  }

  /** Returns a read of an endpoint's health for a batch of reads. */
  reading({ team_id, endpoint_id }: EndpointName): ReadItem<EndpointHealth> {
    const reading = this.#table.reading(healthKey({ team_id, endpoint_id }), endpointHealth);
    return { ...reading, of: (items) => reading.of(items) ?? { team_id, endpoint_id } };
  }

  /**
   * Records the failure of a delivery. Repeated failures of one delivery count once.
   * @param eventId omitted if the receiver works but requested a pause, which indicates no outage.
   * @param known health that the caller has read; saves a read if it is still current.
   */
  async noteFailure(
    endpoint: EndpointName,
    eventId: string | undefined,
    nowMs: number,
    known?: EndpointHealth,
  ): Promise<EndpointHealth> {
    for (let attempt = 1; ; attempt++) {
      const seen = attempt === 1 && known ? known : await this.get(endpoint);
      const isCounted = eventId !== undefined && (seen.failed?.size ?? 0) < FAILURES_TO_PARK;
      const change = failure(endpoint, seen, clockAfterFailure(seen, nowMs), isCounted ? eventId : undefined, nowMs);
      try {
        return endpointHealth.parse(await this.#table.update(healthKey(endpoint), change));
      } catch (error) {
        if (!(error instanceof ConditionFailed) || attempt === NOTE_ATTEMPTS) throw error;
      }
    }
  }

  /** Suspends an endpoint, unless it is suspended or a success intervened. */
  async park(endpoint: EndpointName, nowMs: number): Promise<void> {
    await this.#changeIf(endpoint, {
      UpdateExpression: "SET parked_at = :now, due_shard = :due, due_at = :probe",
      ConditionExpression: "attribute_not_exists(parked_at) AND size(failed) >= :most",
      ExpressionAttributeValues: {
        ":now": iso(nowMs),
        ":due": DUE,
        ":probe": iso(nowMs + PROBE_INTERVAL_MS),
        ":most": FAILURES_TO_PARK,
      },
    });
  }

  /** Clears all failures. Held deliveries are due for dispatch from now on. */
  async reset(endpoint: EndpointName, { parked_at }: EndpointHealth, nowMs: number): Promise<void> {
    const forget = "REMOVE failed, first_failed_at, failing_since, parked_at";
    await this.#changeIf(endpoint, {
      UpdateExpression: parked_at === undefined ? forget : `SET due_at = :now ${forget}`,
      ConditionExpression: "attribute_exists(pk)",
      ...(parked_at === undefined ? {} : { ExpressionAttributeValues: { ":now": iso(nowMs) } }),
    });
  }

  /** Resets the health on request of the team: clears failures, slowness, and the receiver's pause. */
  async forget(endpoint: EndpointName, nowMs: number): Promise<void> {
    await this.reset(endpoint, await this.get(endpoint), nowMs);
    await this.#changeIf(endpoint, {
      UpdateExpression: "REMOVE hold_until, slow_until, slow_ms",
      ConditionExpression: "attribute_exists(pk)",
    });
  }

  /** Records a slow attempt (docs/events.md, Delivery), at most once a minute. */
  async noteSlow(endpoint: EndpointName, tookMs: number, nowMs: number, known: EndpointHealth): Promise<void> {
    if (isSlow(known, nowMs + SLOW_FOR_MS - PROBE_INTERVAL_MS)) return;
    const { team_id, endpoint_id } = endpoint;
    const slow = { slow_until: iso(nowMs + SLOW_FOR_MS), slow_ms: tookMs };
    const expires_at = Math.floor(nowMs / 1000) + KEPT_S;
    await this.#table.update(healthKey(endpoint), setting({ team_id, endpoint_id, ...slow, expires_at }));
  }

  /** Pauses all deliveries of an endpoint until an instant, unless a longer pause is set. */
  async hold(endpoint: EndpointName, untilMs: number): Promise<void> {
    await this.#changeIf(endpoint, {
      UpdateExpression: "SET hold_until = :until",
      ConditionExpression: "attribute_exists(pk) AND (attribute_not_exists(hold_until) OR hold_until < :until)",
      ExpressionAttributeValues: { ":until": iso(untilMs) },
    });
  }

  /** Claims the probe of this minute. @returns whether the caller got it. */
  claimProbe(endpoint: EndpointName, nowMs: number): Promise<boolean> {
    return this.#changeIf(endpoint, {
      UpdateExpression: "SET due_at = :next",
      ConditionExpression: "attribute_exists(parked_at) AND due_at <= :now",
      ExpressionAttributeValues: { ":now": iso(nowMs), ":next": iso(nowMs + PROBE_INTERVAL_MS) },
    });
  }

  /** Schedules the next dispatch to a recovered endpoint. @returns false if another caller scheduled it. */
  planLook({ due_at, ...endpoint }: DueHealth, nextMs: number): Promise<boolean> {
    return this.#changeIf(endpoint, {
      UpdateExpression: "SET due_at = :next",
      ConditionExpression: "attribute_not_exists(parked_at) AND due_at = :seen",
      ExpressionAttributeValues: { ":seen": due_at, ":next": iso(nextMs) },
    });
  }

  /** Returns endpoints whose held deliveries are due for a check, and the due time of the next one. */
  async due(nowMs: number): Promise<{ due: DueHealth[]; nextDueAt: string | undefined }> {
    const found: DueHealth[] = [];
    const input = {
      IndexName: "due",
      KeyConditionExpression: "due_shard = :due",
      ExpressionAttributeValues: { ":due": DUE },
    };
    for await (const health of this.#table.all(input, dueHealth)) {
      if (health.due_at > iso(nowMs)) return { due: found, nextDueAt: health.due_at };
      found.push(health);
    }
    return { due: found, nextDueAt: undefined };
  }

  async #changeIf(endpoint: EndpointName, change: Change): Promise<boolean> {
    try {
      await this.#table.update(healthKey(endpoint), change);
      return true;
    } catch (error) {
      if (error instanceof ConditionFailed) return false;
      throw error;
    }
  }
}

const clockNames = ["first_failed_at", "failing_since"] as const;

/** Builds the update of a failure. Its condition is an unchanged failure clock: it must not undo a success. */
function failure(
  { team_id, endpoint_id }: EndpointName,
  seen: FailureClock,
  clock: FailureClock,
  eventId: string | undefined,
  nowMs: number,
): Change {
  const set = setting({ team_id, endpoint_id, ...clock, expires_at: Math.floor(nowMs / 1000) + KEPT_S });
  const unchanged = clockNames.map((name) =>
    seen[name] === undefined ? `attribute_not_exists(${name})` : `${name} = :seen_${name}`,
  );
  const seenValues = clockNames.flatMap((name) => (seen[name] === undefined ? [] : [[`:seen_${name}`, seen[name]]]));
  const event = eventId === undefined ? {} : { ":event": new Set([eventId]) };
  return {
    ...set,
    UpdateExpression: eventId === undefined ? set.UpdateExpression : `${set.UpdateExpression} ADD failed :event`,
    ConditionExpression: unchanged.join(" AND "),
    ExpressionAttributeValues: { ...set.ExpressionAttributeValues, ...Object.fromEntries(seenValues), ...event },
  };
}
