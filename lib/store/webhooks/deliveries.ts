import { deliveries } from "../../contract/resources.ts";
import {
  type CancelReason,
  type Delivery,
  type DeliveryReference,
  delivery,
  planDelivery,
} from "../../events/webhooks/delivery.ts";
import type { EndpointReference } from "../../events/webhooks/endpoint-health.ts";
import { isConditionMet, unlessConditionFailed } from "../condition-failed.ts";
import type { DueItems } from "../due-index.ts";
import type { Item, Key } from "../item.ts";
import type { ReadItem } from "../read-item.ts";
import { NOT_EXISTS, setExpression, type Table } from "../table.ts";
import type { TeamScope } from "../team-scope.ts";
import { deliveryKey, newDeliveryItem, pendingUntil } from "./delivery-items.ts";
import { dueDelivery, findHeldDeliveries, heldShard, pendingShards } from "./due-deliveries.ts";
import { type DeliveryRange, findEndpointDeliveries } from "./endpoint-deliveries.ts";

const iso = (epochMs: number) => new Date(epochMs).toISOString();

/**
 * Condition of every change: the delivery has not ended. It keeps ended deliveries as they are, and erased ones
 * deleted.
 */
const isOpen = "#state IN (:pending, :parked)";
const openStates = { ":pending": "pending", ":parked": "parked" };

/**
 * A delivery under a lease. Writes under a later lease win. `unstored` is the delivery as planned if its first attempt
 * precedes its item: the outcome creates the item.
 */
type Leased = Pick<Delivery, keyof DeliveryReference | "attempts"> & {
  readonly fence: number;
  readonly unstored?: Delivery;
};

/** Attributes to set, under a condition. A delivery that ends leaves the index. */
interface Change {
  readonly set: Readonly<Record<string, unknown>>;
  readonly isEnd?: boolean;
  readonly condition?: string;
  readonly values?: Readonly<Record<string, unknown>>;
}

/** Deliveries of events to webhook endpoints. All instants are epoch milliseconds of the caller's clock. */
export class DeliveryStore {
  readonly #table: Table;

  constructor(table: Table) {
    this.#table = table;
  }

  /**
   * Creates a delivery that is due at `dueMs`. Idempotent: a delivery that exists stays as it is.
   * @returns the delivery as planned.
   */
  async create(event: Delivery["event"], endpointId: string, nowMs: number, dueMs = nowMs): Promise<Delivery> {
    const planned = planDelivery(event, endpointId, nowMs);
    const item = { ...newDeliveryItem(planned), ...pendingUntil(event.event_id, nowMs, dueMs) };
    await unlessConditionFailed(this.#table.put(item, { ConditionExpression: NOT_EXISTS }));
    return planned;
  }

  get(reference: DeliveryReference): Promise<Delivery | undefined> {
    return this.#table.get(deliveryKey(reference), delivery);
  }

  /** Returns a read of a delivery for a batch of reads. */
  readItem(reference: DeliveryReference): ReadItem<Delivery | undefined> {
    return this.#table.readItem(deliveryKey(reference), delivery);
  }

  /** Returns the deliveries that exist, in no order. */
  getMany(references: readonly DeliveryReference[]): Promise<Delivery[]> {
    return this.#table.getMany(references.map(deliveryKey), delivery);
  }

  /**
   * Returns references of an endpoint's deliveries by planning time, and the position of the next page. See {@link
   * Span}.
   */
  listByEndpoint(endpoint: EndpointReference, span: DeliveryRange): ReturnType<typeof findEndpointDeliveries> {
    return findEndpointDeliveries(this.#table, endpoint, span);
  }

  /**
   * Restarts the schedule of a delivery in any state. Earlier attempts no longer count.
   * @param ofStates requires one of these states, and no resend since `resentMs`.
   * @returns whether the delivery is due now.
   */
  async resend(reference: DeliveryReference, nowMs: number, ofStates?: readonly Delivery["state"][], resentMs = nowMs) {
    const set = setExpression({ ...pendingUntil(reference.event_id, nowMs, nowMs), resent_at: iso(resentMs) });
    const states = Object.fromEntries((ofStates ?? []).map((state, index) => [`:s${index}`, state]));
    const among =
      ofStates && `#state IN (${Object.keys(states)}) AND (attribute_not_exists(resent_at) OR #resent_at < :resent_at)`;
    return isConditionMet(
      this.#table.update(deliveryKey(reference), {
        ...set,
        UpdateExpression: `${set.UpdateExpression} REMOVE reason, is_filtered`,
        ConditionExpression: among ?? "attribute_exists(pk)",
        ExpressionAttributeValues: { ...set.ExpressionAttributeValues, ...states },
      }),
    );
  }

  /** Ends a delivery after its last attempt. @returns whether the attempt is recorded. */
  complete(leased: Leased, state: "delivered" | "exhausted" | "cancelled", reason?: CancelReason): Promise<boolean> {
    return this.#changeLeased(leased, { set: { state, ...(reason ? { reason } : {}) }, isEnd: true });
  }

  /** Ends a delivery without an attempt. */
  async cancel(reference: DeliveryReference, reason: CancelReason): Promise<void> {
    const stored = reason === "filtered" ? { reason: "nothing_to_send", is_filtered: true } : { reason };
    await this.#change(reference, { set: { state: "cancelled", ...stored }, isEnd: true });
  }

  /** Schedules the next attempt after a failure. @returns whether the attempt is recorded. */
  scheduleRetry(leased: Leased, nowMs: number, nextMs: number): Promise<boolean> {
    return this.#changeLeased(leased, { set: pendingUntil(leased.event_id, nowMs, nextMs) });
  }

  /** Postpones a delivery that is due, without an attempt. @returns whether it was due. */
  postpone(reference: DeliveryReference, nowMs: number, nextMs: number): Promise<boolean> {
    const set = pendingUntil(reference.event_id, nowMs, nextMs);
    return this.#change(reference, { set, condition: "next_attempt_at <= :now", values: { ":now": iso(nowMs) } });
  }

  /** Holds a delivery that is due until its endpoint works again. @returns whether it was due. */
  hold(reference: DeliveryReference, nowMs: number): Promise<boolean> {
    const set = { state: "parked", due_shard: heldShard(reference), due_at: iso(nowMs) };
    const condition = "#state = :pending AND next_attempt_at <= :now";
    return this.#change(reference, { set, condition, values: { ":now": iso(nowMs) } });
  }

  /**
   * Records a failed probe. The delivery moves to the end of the order, so the next probe uses another delivery, in
   * case the receiver rejects this one.
   * @returns whether the attempt is recorded.
   */
  recordFailedProbe(leased: Leased, nowMs: number): Promise<boolean> {
    return this.#changeLeased(leased, { set: { due_at: iso(nowMs) } });
  }

  /** Returns pending deliveries for the sweeper to dispatch, and the due time of the next one. */
  listDue(nowMs: number): Promise<DueItems<Delivery>> {
    return pendingShards.find(this.#table, dueDelivery, nowMs);
  }

  /** Returns up to `most` held deliveries of an endpoint, the longest held first. */
  listHeld(endpoint: EndpointReference, most: number): Promise<Delivery[]> {
    return findHeldDeliveries(this.#table, endpoint, most);
  }

  /** Records an attempt under a lease: creates the delivery with it, or updates the delivery that exists. */
  async #changeLeased(leased: Leased, { set, isEnd = false }: Change): Promise<boolean> {
    const { attempts, fence, unstored } = leased;
    if (unstored) return this.#createAttempted({ ...newDeliveryItem(unstored), ...set, attempts, fence });
    const condition = "(attribute_not_exists(fence) OR fence < :fence)";
    return this.#change(leased, { set: { ...set, attempts, fence }, isEnd, condition });
  }

  /**
   * Creates a delivery with its first attempt. Another consumer of the same event may have planned it in the meantime.
   * @returns false if the delivery has ended, or has an attempt or a resend request.
   */
  #createAttempted(item: Item & Key): Promise<boolean> {
    const isPlanned = `${isOpen} AND attribute_not_exists(fence) AND attribute_not_exists(resent_at)`;
    const condition = {
      ConditionExpression: `${NOT_EXISTS} OR (${isPlanned})`,
      ExpressionAttributeNames: { "#state": "state" },
      ExpressionAttributeValues: openStates,
    };
    return isConditionMet(this.#table.put(item, condition));
  }

  /** Updates a delivery that has not ended. @returns false if it has ended, was erased, or the condition failed. */
  async #change(reference: DeliveryReference, { set, isEnd, condition, values }: Change): Promise<boolean> {
    const { UpdateExpression, ExpressionAttributeNames, ExpressionAttributeValues } = setExpression(set);
    return isConditionMet(
      this.#table.update(deliveryKey(reference), {
        UpdateExpression: isEnd ? `${UpdateExpression} REMOVE due_shard, due_at` : UpdateExpression,
        ConditionExpression: condition ? `${isOpen} AND ${condition}` : isOpen,
        ExpressionAttributeNames: { ...ExpressionAttributeNames, "#state": "state" },
        ExpressionAttributeValues: { ...ExpressionAttributeValues, ...openStates, ...values },
      }),
    );
  }

  eraseUser(scope: TeamScope, userId: string): Promise<number> {
    return this.#table.deletePartition(`${deliveries.keyPrefix}${scope.teamId}#${userId}`);
  }
}
