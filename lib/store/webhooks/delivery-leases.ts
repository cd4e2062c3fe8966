import { deliveryLeases } from "../../contract/resources.ts";
import { ATTEMPT_TIMEOUT_MS, type AttemptMessage, QUARANTINE_MS } from "../../events/webhooks/delivery.ts";
import { ConditionFailed, unlessConditionFailed } from "../condition-failed.ts";
import type { Key } from "../item.ts";
import type { ReadItem } from "../read-item.ts";
import type { ItemUpdate, Table } from "../table.ts";
import type { TeamScope } from "../team-scope.ts";
import { type HeldLease, type LeaseQueue, leaseItem, toHeldLease, toLeaseQueue } from "./lease-queue.ts";

/**
 * Duration of a lease: an attempt, time to record its outcome, and a quarantine. What a crashed worker has sent is
 * unknown.
 */
const LEASE_MS = ATTEMPT_TIMEOUT_MS + 5_000 + QUARANTINE_MS;
/** Maximum number of deliveries that wait for one lease. Further deliveries are retried later. */
const MAX_WAITING_DELIVERIES = 100;
/**
 * Waiting deliveries dispatched when a lease is released. One suffices unless it is gone by then; all but one wait
 * again.
 */
const MAX_RESUMED_DELIVERIES = 2;
/**
 * Retention of fencing tokens. A token must grow while an older attempt may still be under way; events are stored for
 * 30 days.
 */
const KEPT_S = 40 * 24 * 60 * 60;

type Leased = Pick<AttemptMessage, "team_id" | "user_id" | "endpoint_id" | "order_key">;

const partition = (teamId: string, userId: string) => `${deliveryLeases.keyPrefix}${teamId}#${userId}`;
const leaseKey = ({ team_id, user_id, endpoint_id, order_key }: Leased): Key => ({
  pk: partition(team_id, user_id),
  sk: `${endpoint_id}#${order_key}`,
});

const iso = (epochMs: number) => new Date(epochMs).toISOString();

/**
 * A lease to attempt deliveries of one endpoint and ordering key. `fence` is the fencing token: it exceeds that of
 * every earlier lease.
 */
export interface Lease {
  readonly fence: number;
}

/** How to acquire a lease. */
interface AcquireOptions {
  /** Whether this is a first attempt, whose delivery shows its end. It acquires no lease a second time. */
  readonly isFirst?: boolean;
  /** A lease whose first attempt is over, as its delivery shows. */
  readonly over?: HeldLease;
}

/**
 * Leases that serialize the deliveries that may overwrite each other at a receiver: one attempt at a time for each
 * endpoint and ordering key, with a fencing token that grows with each lease (docs/events.md, Order). All instants are
 * epoch milliseconds.
 */
export class DeliveryLeaseStore {
  readonly #table: Table;

  constructor(table: Table) {
    this.#table = table;
  }

  /** Returns a read of a lease and its waiting deliveries for a batch of reads. */
  readItem(of: AttemptMessage): ReadItem<LeaseQueue> {
    const reading = this.#table.readItem(leaseKey(of), leaseItem);
    return { ...reading, parse: (items) => toLeaseQueue(reading.parse(items), of.event_id) };
  }

  /** Acquires the lease for a delivery, unless another delivery holds it. */
  async acquire(of: AttemptMessage, nowMs: number, { isFirst, over }: AcquireOptions = {}): Promise<Lease | HeldLease> {
    const { event_id: me } = of;
    const isFree = over ? "fence = :over" : "attribute_not_exists(lease_until) OR lease_until <= :now";
    const isNew = "attribute_not_exists(first_attempt) OR first_attempt <> :first";
    try {
      const item = await this.#table.update(leaseKey(of), {
        UpdateExpression:
          "SET fence = if_not_exists(fence, :zero) + :one, lease_until = :until, expires_at = :expires" +
          `${isFirst ? ", first_attempt = :first" : ""} ` +
          `REMOVE quarantine${isFirst ? "" : ", first_attempt"} DELETE waiting :me`,
        ConditionExpression: isFirst ? `(${isFree}) AND (${isNew})` : isFree,
        ExpressionAttributeValues: {
          ":zero": nowMs,
          ":one": 1,
          ":until": iso(nowMs + LEASE_MS),
          ":expires": Math.floor(nowMs / 1000) + KEPT_S,
          ":me": new Set([me]),
          ...(over ? { ":over": over.first?.fence } : { ":now": iso(nowMs) }),
          ...(isFirst ? { ":first": me } : {}),
        },
      });
      return { fence: leaseItem.parse(item).fence };
    } catch (error) {
      if (!(error instanceof ConditionFailed)) throw error;
      return toHeldLease(error.items.get(0), me);
    }
  }

  /**
   * Enqueues a delivery for a lease that another delivery holds. `free`: the lease was released in the meantime.
   * `full`: too many deliveries wait.
   */
  async enqueue(of: AttemptMessage, { heldUntil }: HeldLease): Promise<"waiting" | "full" | "free"> {
    try {
      await this.#table.update(leaseKey(of), {
        UpdateExpression: "ADD waiting :me",
        ConditionExpression:
          "lease_until = :seen AND (attribute_not_exists(waiting) OR size(waiting) < :most OR contains(waiting, :id))",
        ExpressionAttributeValues: {
          ":me": new Set([of.event_id]),
          ":id": of.event_id,
          ":seen": heldUntil,
          ":most": MAX_WAITING_DELIVERIES,
        },
      });
      return "waiting";
    } catch (error) {
      if (!(error instanceof ConditionFailed)) throw error;
      return error.items.get(0)?.lease_until === heldUntil ? "full" : "free";
    }
  }

  /** Returns ids of events whose deliveries wait for a lease; none if another worker holds it by now. */
  async listWaiting(of: Leased, { fence }: Lease): Promise<string[]> {
    const item = await this.#table.get(leaseKey(of), leaseItem);
    return item?.fence === fence ? [...(item.waiting ?? [])] : [];
  }

  /** Releases the lease. @returns ids of events whose waiting deliveries are to be dispatched now. */
  async release(of: Leased, lease: Lease, nowMs: number): Promise<string[]> {
    const change = {
      UpdateExpression: "SET lease_until = :until",
      ExpressionAttributeValues: { ":until": iso(nowMs) },
    };
    const woken = (await this.#end(of, lease, change)).slice(0, MAX_RESUMED_DELIVERIES);
    if (woken.length > 0) await this.#leaveLine(of, woken);
    return woken;
  }

  /**
   * Ends an attempt of unknown outcome: the lease stays held until `untilMs`.
   * @returns ids of events whose waiting deliveries are to be dispatched then.
   */
  quarantine(of: Leased, lease: Lease, untilMs: number): Promise<string[]> {
    return this.#end(of, lease, {
      UpdateExpression: "SET lease_until = :until, quarantine = :true",
      ExpressionAttributeValues: { ":until": iso(untilMs), ":true": "true" },
    });
  }

  /** Updates a lease that the caller still holds. A lease that expired or was erased stays unchanged. */
  async #end(of: Leased, { fence }: Lease, change: ItemUpdate): Promise<string[]> {
    const item = await this.#changeIf(of, {
      ...change,
      ConditionExpression: "fence = :fence",
      ExpressionAttributeValues: { ...change.ExpressionAttributeValues, ":fence": fence },
    });
    return [...(item?.waiting ?? [])];
  }

  async #leaveLine(of: Leased, eventIds: readonly string[]): Promise<void> {
    await this.#changeIf(of, {
      UpdateExpression: "DELETE waiting :woken",
      ConditionExpression: "attribute_exists(fence)",
      ExpressionAttributeValues: { ":woken": new Set(eventIds) },
    });
  }

  async #changeIf(of: Leased, change: ItemUpdate) {
    const item = await unlessConditionFailed(this.#table.update(leaseKey(of), change));
    return item && leaseItem.parse(item);
  }

  eraseUser(scope: TeamScope, userId: string): Promise<number> {
    return this.#table.deletePartition(partition(scope.teamId, userId));
  }
}
