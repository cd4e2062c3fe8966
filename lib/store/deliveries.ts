import { deliveries } from "../contract/resources.ts";
import { type Attempt, type Delivery, type DeliveryReference, delivery } from "../events/delivery.ts";
import { ConditionFailed } from "./condition-failed.ts";
import { isNew, type Key, type Table } from "./table.ts";
import type { TeamScope } from "./team-scope.ts";

/** Pending deliveries are spread over this many partitions of a sparse index. */
const SHARDS = 8;
/** How long after its instant a delivery that a queue message should have woken is looked for by the sweeper. */
const GRACE_MS = 60_000;
/** The longest delay of a queue message; later attempts are left to the sweeper alone. */
export const LONGEST_QUEUE_DELAY_MS = 900_000;
/** One worker may be at a delivery for this long; a worker that died gives way after it. */
const LEASE_MS = 60_000;
const KEPT_S = 30 * 24 * 60 * 60;

const deliveryKey = ({ team_id, user_id, endpoint_id, event_id }: DeliveryReference): Key => ({
  pk: `${deliveries.keyPrefix}${team_id}#${user_id}`,
  sk: `${endpoint_id}#${event_id}`,
});

const iso = (epochMs: number) => new Date(epochMs).toISOString();

/** When the sweeper has to look: at the instant itself if no queue message will, else a little later. */
const sweepAt = (nowMs: number, nextMs: number) =>
  iso(nextMs - nowMs > LONGEST_QUEUE_DELAY_MS ? nextMs : nextMs + GRACE_MS);

/** Deliveries of events to webhook endpoints. All instants are epoch milliseconds of the caller's clock. */
export class DeliveryStore {
  readonly #table: Table;

  constructor(table: Table) {
    this.#table = table;
  }

  /** Plans a delivery, once: planning it again changes nothing. */
  async plan(event: Delivery["event"], endpointId: string, nowMs: number): Promise<DeliveryReference> {
    const reference = {
      team_id: event.team_id,
      user_id: event.user_id,
      endpoint_id: endpointId,
      event_id: event.event_id,
    };
    const planned: Delivery = { ...reference, event, state: "pending", attempts: [], next_attempt_at: iso(nowMs) };
    const item = {
      ...deliveryKey(reference),
      ...planned,
      due_shard: `${deliveries.keyPrefix}${event.event_id.charCodeAt(event.event_id.length - 1) % SHARDS}`,
      due_at: sweepAt(nowMs, nowMs),
      expires_at: Math.floor(nowMs / 1000) + KEPT_S,
    };
    try {
      await this.#table.put(item, { ConditionExpression: isNew });
    } catch (error) {
      if (!(error instanceof ConditionFailed)) throw error;
    }
    return reference;
  }

  /** Takes a delivery that is due for one attempt; undefined when it is done, not due yet, or another worker is at it. */
  async claim(reference: DeliveryReference, nowMs: number): Promise<Delivery | undefined> {
    try {
      const item = await this.#table.update(deliveryKey(reference), {
        UpdateExpression: "SET lease_until = :until",
        ConditionExpression:
          "#state = :pending AND next_attempt_at <= :now AND (attribute_not_exists(lease_until) OR lease_until <= :now)",
        ExpressionAttributeNames: { "#state": "state" },
        ExpressionAttributeValues: { ":pending": "pending", ":now": iso(nowMs), ":until": iso(nowMs + LEASE_MS) },
      });
      return delivery.parse(item);
    } catch (error) {
      if (error instanceof ConditionFailed) return undefined;
      throw error;
    }
  }

  /** Ends a delivery with its last attempt, if there was one. */
  async end(
    claimed: Delivery,
    state: "delivered" | "exhausted" | "cancelled",
    attempts: readonly Attempt[],
  ): Promise<void> {
    await this.#table.update(deliveryKey(claimed), {
      UpdateExpression: "SET #state = :state, attempts = :attempts REMOVE lease_until, due_shard, due_at",
      ConditionExpression: "lease_until = :lease",
      ExpressionAttributeNames: { "#state": "state" },
      ExpressionAttributeValues: { ":state": state, ":attempts": attempts, ":lease": claimed.lease_until },
    });
  }

  /** Plans the next attempt after a failed one. */
  async retry(claimed: Delivery, attempts: readonly Attempt[], nowMs: number, delayMs: number): Promise<void> {
    const nextMs = nowMs + delayMs;
    await this.#table.update(deliveryKey(claimed), {
      UpdateExpression: "SET attempts = :attempts, next_attempt_at = :next, due_at = :sweep REMOVE lease_until",
      ConditionExpression: "lease_until = :lease",
      ExpressionAttributeValues: {
        ":attempts": attempts,
        ":next": iso(nextMs),
        ":sweep": sweepAt(nowMs, nextMs),
        ":lease": claimed.lease_until,
      },
    });
  }

  /** Deliveries that the sweeper has to wake, and when the next one will be. */
  async due(nowMs: number): Promise<{ due: DeliveryReference[]; nextDueAt: string | undefined }> {
    const found: DeliveryReference[] = [];
    let nextDueAt: string | undefined;
    for (let shard = 0; shard < SHARDS; shard++) {
      const input = {
        IndexName: "due",
        KeyConditionExpression: "due_shard = :shard",
        ExpressionAttributeValues: { ":shard": `${deliveries.keyPrefix}${shard}` },
      };
      for await (const item of this.#table.all(input, dueItem)) {
        if (item.due_at > iso(nowMs)) {
          if (nextDueAt === undefined || item.due_at < nextDueAt) nextDueAt = item.due_at;
          break;
        }
        found.push({
          team_id: item.team_id,
          user_id: item.user_id,
          endpoint_id: item.endpoint_id,
          event_id: item.event_id,
        });
      }
    }
    return { due: found, nextDueAt };
  }

  eraseUser(scope: TeamScope, userId: string): Promise<number> {
    return this.#table.erasePartition(`${deliveries.keyPrefix}${scope.teamId}#${userId}`);
  }
}

const dueItem = delivery.extend({ due_at: delivery.shape.next_attempt_at });
