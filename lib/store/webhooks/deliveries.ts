import { deliveries } from "../../contract/resources.ts";
import { type CancelReason, type Delivery, type DeliveryReference, delivery } from "../../events/webhooks/delivery.ts";
import type { EndpointReference } from "../../events/webhooks/endpoint-health.ts";
import { isConditionMet, unlessConditionFailed } from "../condition-failed.ts";
import type { DueItems } from "../due-index.ts";
import type { Key } from "../item.ts";
import type { ReadItem } from "../read-item.ts";
import { NOT_EXISTS, setExpression, type Table } from "../table.ts";
import type { TeamScope } from "../team-scope.ts";
import { dueDelivery, findHeldDeliveries, heldShard, pendingShards, sweepDueAt } from "./due-deliveries.ts";
import { type DeliveryRange, endpointDeliveriesPartition, findEndpointDeliveries } from "./endpoint-deliveries.ts";

const KEPT_S = 30 * 24 * 60 * 60;

const deliveryKey = ({ team_id, user_id, endpoint_id, event_id }: DeliveryReference): Key => ({
  pk: `${deliveries.keyPrefix}${team_id}#${user_id}`,
  sk: `${endpoint_id}#${event_id}`,
});

const iso = (epochMs: number) => new Date(epochMs).toISOString();

/**
 * Condition of every change: the delivery has not ended. It keeps ended deliveries as they are, and erased ones
 * deleted.
 */
const isOpen = "#state IN (:pending, :parked)";

/** A delivery under a lease. Writes under a later lease win. */
type Leased = Pick<Delivery, keyof DeliveryReference | "attempts"> & { readonly fence: number };

/** Attributes to set, under a condition. A delivery that ends leaves the index. */
interface Change {
  readonly set: Readonly<Record<string, unknown>>;
  readonly isEnd?: boolean;
  readonly condition?: string;
  readonly values?: Readonly<Record<string, unknown>>;
}

/** Attributes of a delivery that is pending until an instant. */
const pendingUntil = (eventId: string, nowMs: number, nextMs: number) => ({
  state: "pending",
  next_attempt_at: iso(nextMs),
  due_shard: pendingShards.of(eventId),
  due_at: sweepDueAt(nowMs, nextMs),
});

/** Deliveries of events to webhook endpoints. All instants are epoch milliseconds of the caller's clock. */
export class DeliveryStore {
  readonly #table: Table;

  constructor(table: Table) {
    this.#table = table;
  }

  /** Creates a delivery. Idempotent: a delivery that exists stays as it is. */
  async create(event: Delivery["event"], endpointId: string, nowMs: number): Promise<Delivery> {
    const { team_id, user_id, event_id } = event;
    const reference = { team_id, user_id, endpoint_id: endpointId, event_id };
    const now = iso(nowMs);
    const instants = { planned_at: now, next_attempt_at: now };
    const planned: Delivery = { ...reference, event, state: "pending", attempts: [], ...instants };
    const item = {
      ...deliveryKey(reference),
      ...planned,
      ...pendingUntil(event_id, nowMs, nowMs),
      of_endpoint: endpointDeliveriesPartition(reference),
      expires_at: Math.floor(nowMs / 1000) + KEPT_S,
    };
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
        UpdateExpression: `${set.UpdateExpression} REMOVE reason`,
        ConditionExpression: among ?? "attribute_exists(pk)",
        ExpressionAttributeValues: { ...set.ExpressionAttributeValues, ...states },
      }),
    );
  }

  /** Ends a delivery after its last attempt. */
  async complete(leased: Leased, state: "delivered" | "exhausted" | "cancelled", reason?: CancelReason): Promise<void> {
    await this.#changeLeased(leased, { set: { state, ...(reason ? { reason } : {}) }, isEnd: true });
  }

  /** Ends a delivery without an attempt. */
  async cancel(reference: DeliveryReference, reason: CancelReason): Promise<void> {
    await this.#change(reference, { set: { state: "cancelled", reason }, isEnd: true });
  }

  /** Schedules the next attempt after a failure. */
  async scheduleRetry(leased: Leased, nowMs: number, nextMs: number): Promise<void> {
    await this.#changeLeased(leased, { set: pendingUntil(leased.event_id, nowMs, nextMs) });
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
   */
  async recordFailedProbe(leased: Leased, nowMs: number): Promise<void> {
    await this.#changeLeased(leased, { set: { due_at: iso(nowMs) } });
  }

  /** Returns pending deliveries for the sweeper to dispatch, and the due time of the next one. */
  listDue(nowMs: number): Promise<DueItems<Delivery>> {
    return pendingShards.find(this.#table, dueDelivery, nowMs);
  }

  /** Returns up to `most` held deliveries of an endpoint, the longest held first. */
  listHeld(endpoint: EndpointReference, most: number): Promise<Delivery[]> {
    return findHeldDeliveries(this.#table, endpoint, most);
  }

  /** Updates a delivery and its attempts under a lease. */
  #changeLeased(leased: Leased, { set, isEnd = false }: Change): Promise<boolean> {
    const { attempts, fence } = leased;
    const condition = "(attribute_not_exists(fence) OR fence < :fence)";
    return this.#change(leased, { set: { ...set, attempts, fence }, isEnd, condition });
  }

  /** Updates a delivery that has not ended. @returns false if it has ended, was erased, or the condition failed. */
  async #change(reference: DeliveryReference, { set, isEnd, condition, values }: Change): Promise<boolean> {
    const { UpdateExpression, ExpressionAttributeNames, ExpressionAttributeValues } = setExpression(set);
    const states = { ":pending": "pending", ":parked": "parked" };
    return isConditionMet(
      this.#table.update(deliveryKey(reference), {
        UpdateExpression: isEnd ? `${UpdateExpression} REMOVE due_shard, due_at` : UpdateExpression,
        ConditionExpression: condition ? `${isOpen} AND ${condition}` : isOpen,
        ExpressionAttributeNames: { ...ExpressionAttributeNames, "#state": "state" },
        ExpressionAttributeValues: { ...ExpressionAttributeValues, ...states, ...values },
      }),
    );
  }

  eraseUser(scope: TeamScope, userId: string): Promise<number> {
    return this.#table.deletePartition(`${deliveries.keyPrefix}${scope.teamId}#${userId}`);
  }
}
