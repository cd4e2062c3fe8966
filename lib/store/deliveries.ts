import { deliveries } from "../contract/resources.ts";
import { type CancelReason, type Delivery, type DeliveryReference, delivery } from "../events/delivery.ts";
import type { EndpointName } from "../events/endpoint-health.ts";
import { ConditionFailed } from "./condition-failed.ts";
import { dueAtOf, findDue, findParked, parkedShard, pendingShard } from "./due-deliveries.ts";
import { deliveriesOf, findOfEndpoint, type Span } from "./endpoint-deliveries.ts";
import type { ReadItem } from "./read-item.ts";
import { isNew, type Key, setting, type Table } from "./table.ts";
import type { TeamScope } from "./team-scope.ts";

const KEPT_S = 30 * 24 * 60 * 60;

const deliveryKey = ({ team_id, user_id, endpoint_id, event_id }: DeliveryReference): Key => ({
  pk: `${deliveries.keyPrefix}${team_id}#${user_id}`,
  sk: `${endpoint_id}#${event_id}`,
});

const iso = (epochMs: number) => new Date(epochMs).toISOString();

/** Deliveries that have not ended; every change asks for this, so none is undone, and none erased comes back. */
const isOpen = "#state IN (:pending, :parked)";

/** A delivery that a lease was taken for; what was written under a later lease stays. */
type Leased = Pick<Delivery, keyof DeliveryReference | "attempts"> & { readonly fence: number };

/** What to set, and of which deliveries alone; those that ended leave the index. */
interface Change {
  readonly set: Readonly<Record<string, unknown>>;
  readonly isEnd?: boolean;
  readonly condition?: string;
  readonly values?: Readonly<Record<string, unknown>>;
}

/** What makes a delivery pending until an instant. */
const pendingUntil = (eventId: string, nowMs: number, nextMs: number) => ({
  state: "pending",
  next_attempt_at: iso(nextMs),
  due_shard: pendingShard(eventId),
  due_at: dueAtOf(nowMs, nextMs),
});

/** Deliveries of events to webhook endpoints. All instants are epoch milliseconds of the caller's clock. */
export class DeliveryStore {
  readonly #table: Table;

  constructor(table: Table) {
    this.#table = table;
  }

  /** Plans a delivery, once: planning it again changes nothing. */
  async plan(event: Delivery["event"], endpointId: string, nowMs: number): Promise<Delivery> {
    const { team_id, user_id, event_id } = event;
    const reference = { team_id, user_id, endpoint_id: endpointId, event_id };
    const now = iso(nowMs);
    const instants = { planned_at: now, next_attempt_at: now };
    const planned: Delivery = { ...reference, event, state: "pending", attempts: [], ...instants };
    const item = {
      ...deliveryKey(reference),
      ...planned,
      ...pendingUntil(event_id, nowMs, nowMs),
      of_endpoint: deliveriesOf(reference),
      expires_at: Math.floor(nowMs / 1000) + KEPT_S,
    };
    try {
      await this.#table.put(item, { ConditionExpression: isNew });
    } catch (error) {
      if (!(error instanceof ConditionFailed)) throw error;
    }
    return planned;
  }

  get(reference: DeliveryReference): Promise<Delivery | undefined> {
    return this.#table.get(deliveryKey(reference), delivery);
  }

  /** A delivery, to be read together with other things. */
  reading(reference: DeliveryReference): ReadItem<Delivery | undefined> {
    return this.#table.reading(deliveryKey(reference), delivery);
  }

  /** Those of the deliveries that are there, in no order. */
  getMany(references: readonly DeliveryReference[]): Promise<Delivery[]> {
    return this.#table.getMany(references.map(deliveryKey), delivery);
  }

  /** Names of the deliveries of an endpoint by the time when they were planned, and where to go on; see {@link Span}. */
  ofEndpoint(endpoint: EndpointName, span: Span): ReturnType<typeof findOfEndpoint> {
    return findOfEndpoint(this.#table, endpoint, span);
  }

  /**
   * Starts the schedule of a delivery anew, whatever became of it; attempts that were made before do not count any more.
   * @param ofStates only while it is in one of these states and was not sent again since `resentMs`.
   * @returns whether it is due now.
   */
  async resend(reference: DeliveryReference, nowMs: number, ofStates?: readonly Delivery["state"][], resentMs = nowMs) {
    const set = setting({ ...pendingUntil(reference.event_id, nowMs, nowMs), resent_at: iso(resentMs) });
    const states = Object.fromEntries((ofStates ?? []).map((state, index) => [`:s${index}`, state]));
    const among =
      ofStates && `#state IN (${Object.keys(states)}) AND (attribute_not_exists(resent_at) OR #resent_at < :resent_at)`;
    return isDone(
      this.#table.update(deliveryKey(reference), {
        ...set,
        UpdateExpression: `${set.UpdateExpression} REMOVE reason`,
        ConditionExpression: among ?? "attribute_exists(pk)",
        ExpressionAttributeValues: { ...set.ExpressionAttributeValues, ...states },
      }),
    );
  }

  /** Ends a delivery with its last attempt. */
  async end(leased: Leased, state: "delivered" | "exhausted" | "cancelled", reason?: CancelReason): Promise<void> {
    await this.#changeLeased(leased, { set: { state, ...(reason ? { reason } : {}) }, isEnd: true });
  }

  /** Ends a delivery without an attempt. */
  async cancel(reference: DeliveryReference, reason: CancelReason): Promise<void> {
    await this.#change(reference, { set: { state: "cancelled", reason }, isEnd: true });
  }

  /** Plans the next attempt after a failed one. */
  async retry(leased: Leased, nowMs: number, nextMs: number): Promise<void> {
    await this.#changeLeased(leased, { set: pendingUntil(leased.event_id, nowMs, nextMs) });
  }

  /** Puts off a delivery that is due, without an attempt. @returns whether it was due. */
  putOff(reference: DeliveryReference, nowMs: number, nextMs: number): Promise<boolean> {
    const set = pendingUntil(reference.event_id, nowMs, nextMs);
    return this.#change(reference, { set, condition: "next_attempt_at <= :now", values: { ":now": iso(nowMs) } });
  }

  /** Has a delivery that is due wait until its endpoint works again. @returns whether it was due. */
  park(reference: DeliveryReference, nowMs: number): Promise<boolean> {
    const set = { state: "parked", due_shard: parkedShard(reference), due_at: iso(nowMs) };
    const condition = "#state = :pending AND next_attempt_at <= :now";
    return this.#change(reference, { set, condition, values: { ":now": iso(nowMs) } });
  }

  /** Notes a probe that failed; the next one is another delivery, in case it was this one that the receiver dislikes. */
  async noteProbe(leased: Leased, nowMs: number): Promise<void> {
    await this.#changeLeased(leased, { set: { due_at: iso(nowMs) } });
  }

  /** Pending deliveries that the sweeper has to wake, and when the next one will be. */
  due(nowMs: number): ReturnType<typeof findDue> {
    return findDue(this.#table, nowMs);
  }

  /** The parked deliveries of an endpoint that have waited longest, `most` at most. */
  parkedAt(endpoint: EndpointName, most: number): Promise<Delivery[]> {
    return findParked(this.#table, endpoint, most);
  }

  /** Changes a delivery together with its attempts, under a lease. */
  #changeLeased(leased: Leased, { set, isEnd = false }: Change): Promise<boolean> {
    const { attempts, fence } = leased;
    const condition = "(attribute_not_exists(fence) OR fence < :fence)";
    return this.#change(leased, { set: { ...set, attempts, fence }, isEnd, condition });
  }

  /** Changes a delivery that is under way. @returns false when it has ended, is erased, or the condition does not hold. */
  async #change(reference: DeliveryReference, { set, isEnd, condition, values }: Change): Promise<boolean> {
    const { UpdateExpression, ExpressionAttributeNames, ExpressionAttributeValues } = setting(set);
    const states = { ":pending": "pending", ":parked": "parked" };
    return isDone(
      this.#table.update(deliveryKey(reference), {
        UpdateExpression: isEnd ? `${UpdateExpression} REMOVE due_shard, due_at` : UpdateExpression,
        ConditionExpression: condition ? `${isOpen} AND ${condition}` : isOpen,
        ExpressionAttributeNames: { ...ExpressionAttributeNames, "#state": "state" },
        ExpressionAttributeValues: { ...ExpressionAttributeValues, ...states, ...values },
      }),
    );
  }

  eraseUser(scope: TeamScope, userId: string): Promise<number> {
    return this.#table.erasePartition(`${deliveries.keyPrefix}${scope.teamId}#${userId}`);
  }
}

/** Whether a write was made, or its condition did not hold. */
async function isDone(write: Promise<unknown>): Promise<boolean> {
  try {
    await write;
    return true;
  } catch (error) {
    if (error instanceof ConditionFailed) return false;
    throw error;
  }
}
