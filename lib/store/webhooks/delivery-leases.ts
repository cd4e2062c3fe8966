import { deliveryLeases } from "../../contract/resources.ts";
import type { AttemptMessage } from "../../events/webhooks/delivery.ts";
import { ConditionFailed, unlessConditionFailed } from "../condition-failed.ts";
import type { Key } from "../item.ts";
import type { ReadItem } from "../read-item.ts";
import type { ItemUpdate, Table } from "../table.ts";
import type { TeamScope } from "../team-scope.ts";
import {
  type HeldLease,
  type Lease,
  type LeaseQueue,
  leaseItem,
  MAX_WAITING_DELIVERIES,
  toHeldLease,
  toLease,
  toLeaseQueue,
} from "./lease-queue.ts";
import { reserveReturn } from "./lease-returns.ts";
import { type AcquireOptions, acquireUpdate, iso, type PassOnOptions, passOnUpdate } from "./lease-updates.ts";

/** End of a released lease: before the time of any clock, so that nobody joins the list of a lease without a holder. */
const RELEASED = new Date(0).toISOString();
type Leased = Pick<AttemptMessage, "team_id" | "user_id" | "endpoint_id" | "order_key">;

const partition = (teamId: string, userId: string) => `${deliveryLeases.keyPrefix}${teamId}#${userId}`;
const leaseKey = ({ team_id, user_id, endpoint_id, order_key }: Leased): Key => ({
  pk: partition(team_id, user_id),
  sk: `${endpoint_id}#${order_key}`,
});

/** A lease that another delivery holds, and whether no further delivery can wait for it. */
interface JoinedLease {
  readonly held: HeldLease;
  readonly isFull: boolean;
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
  async acquire(of: AttemptMessage, nowMs: number, options: AcquireOptions = {}): Promise<Lease | HeldLease> {
    try {
      const item = await this.#table.update(leaseKey(of), acquireUpdate(of, nowMs, options));
      return toLease(item);
    } catch (error) {
      if (!(error instanceof ConditionFailed)) throw error;
      return toHeldLease(error.items.get(0), of.event_id);
    }
  }

  /**
   * Passes a lease from its last delivery to the next one, without a moment in which it is free. The delivery leaves
   * the waiting list, and with it those in `leaving`. `paceMs` is the duration of the last attempt.
   * @returns undefined if another worker holds the lease by now.
   */
  async passOn(
    to: AttemptMessage,
    lease: Lease,
    nowMs: number,
    options: PassOnOptions = {},
  ): Promise<Lease | undefined> {
    const item = await this.#changeIf(to, passOnUpdate(to, lease, nowMs, options));
    return item && toLease(item);
  }

  /**
   * Enqueues deliveries of some events for a lease that another delivery holds.
   * @returns the lease as it is then; undefined if nobody holds it.
   */
  async enqueue(of: Leased, eventIds: readonly string[], nowMs: number): Promise<JoinedLease | undefined> {
    const ids = Object.fromEntries(eventIds.map((id, index) => [`:id${index}`, id]));
    const isWaiting = Object.keys(ids).map((name) => `contains(waiting, ${name})`);
    try {
      const item = await this.#table.update(leaseKey(of), {
        UpdateExpression: "ADD waiting :ids",
        ConditionExpression:
          "lease_until > :now AND " +
          `(attribute_not_exists(waiting) OR size(waiting) < :most OR (${isWaiting.join(" AND ")}))`,
        ExpressionAttributeValues: {
          ...ids,
          ":ids": new Set(eventIds),
          ":now": iso(nowMs),
          ":most": MAX_WAITING_DELIVERIES,
        },
      });
      return { held: toHeldLease(item, eventIds[0] ?? ""), isFull: false };
    } catch (error) {
      if (!(error instanceof ConditionFailed)) throw error;
      const item = error.items.get(0);
      const isHeld = String(item?.lease_until ?? "") > iso(nowMs);
      return isHeld ? { held: toHeldLease(item, eventIds[0] ?? ""), isFull: true } : undefined;
    }
  }

  /** Reserves the times at which `count` deliveries return, see {@link reserveReturn}. @returns the first, epoch ms. */
  reserveReturn(of: Leased, held: HeldLease, count: number, nowMs: number): Promise<number> {
    return reserveReturn((change) => this.#changeIf(of, change), held, count, nowMs);
  }

  /** Returns ids of events whose deliveries wait for a lease; none if another worker holds it by now. */
  async listWaiting(of: Leased, { fence }: Lease): Promise<string[]> {
    const item = await this.#table.get(leaseKey(of), leaseItem);
    return item?.fence === fence ? [...(item.waiting ?? [])] : [];
  }

  /**
   * Releases the lease. Deliveries in `leaving` leave the waiting list; the others stay in it until they acquire the
   * lease.
   * @returns ids of events whose deliveries wait.
   */
  release(of: Leased, lease: Lease, leaving: readonly string[] = []): Promise<string[]> {
    const gone = leaving.length > 0 ? { ":gone": new Set(leaving) } : {};
    return this.#end(of, lease, {
      UpdateExpression: `SET lease_until = :until${leaving.length > 0 ? " DELETE waiting :gone" : ""}`,
      ExpressionAttributeValues: { ":until": RELEASED, ...gone },
    });
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

  async #changeIf(of: Leased, change: ItemUpdate) {
    const item = await unlessConditionFailed(this.#table.update(leaseKey(of), change));
    return item && leaseItem.parse(item);
  }

  eraseUser(scope: TeamScope, userId: string): Promise<number> {
    return this.#table.deletePartition(partition(scope.teamId, userId));
  }
}
