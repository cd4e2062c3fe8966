import { gunzipSync, gzipSync } from "node:zlib";
import * as z from "zod";
import { outbox } from "../contract/resources.ts";
import { type EventBody, type EventReference, eventReference } from "../events/envelope.ts";
import { ConditionFailed } from "./condition-failed.ts";
import { type Item, isNew, type Key, type Table } from "./table.ts";
import type { TeamScope } from "./team-scope.ts";
import type { WriteItem } from "./transaction.ts";

/** An event to be written: its reference and its body, which is kept compressed. */
export interface OutboxEvent {
  readonly reference: EventReference;
  readonly body: EventBody;
}

const referenceItem = eventReference.extend({ created_at: z.string() });
const bodyItem = z.object({ body: z.instanceof(Uint8Array) });

/** Unsent events are spread over this many partitions of a sparse index. */
const SHARDS = 8;
/** Events that one sweep publishes at most; it has less than a minute. */
const SWEPT_AT_ONCE = 500;
/** Events are kept for replay and for reading by sequence; then they expire. */
const KEPT_S = 30 * 24 * 60 * 60;

const eventKey = (reference: Pick<EventReference, "team_id" | "user_id" | "event_id">): Key => ({
  pk: `${outbox.keyPrefix}${reference.team_id}#${reference.user_id}`,
  sk: reference.event_id,
});

/** Every event ever due: written with or right after the change it tells of, and published from here. */
export class OutboxStore {
  readonly #table: Table;

  constructor(table: Table) {
    this.#table = table;
  }

  /** The write of an event, for the transaction of the change it tells of. @param now ISO 8601. */
  addItem(event: OutboxEvent, now: string): WriteItem {
    return { Put: { TableName: this.#table.name, Item: toItem(event, now), ConditionExpression: isNew } };
  }

  /** Writes an event unless it is there already (then it is the same one: its id says what it is about). */
  async add(event: OutboxEvent, now: string): Promise<void> {
    try {
      await this.#table.put(toItem(event, now), { ConditionExpression: isNew });
    } catch (error) {
      if (!(error instanceof ConditionFailed)) throw error;
    }
  }

  /** The body as it goes to receivers, JSON text; undefined once expired or erased. */
  async body(reference: EventReference): Promise<string | undefined> {
    const item = await this.#table.get(eventKey(reference), bodyItem);
    return item && gunzipSync(item.body).toString("utf8");
  }

  /** Notes that the bus has the event; of an event that was erased meanwhile there is nothing to note. */
  async markSent(reference: EventReference): Promise<void> {
    const change = { UpdateExpression: "REMOVE unsent_shard", ConditionExpression: "attribute_exists(pk)" };
    try {
      await this.#table.update(eventKey(reference), change);
    } catch (error) {
      if (!(error instanceof ConditionFailed)) throw error;
    }
  }

  /**
   * Events written up to `untilMs` (epoch ms) that the bus does not have yet, and when the first younger one was
   * written. At most {@link SWEPT_AT_ONCE} are answered, the rest is for the next sweep.
   */
  async unsent(untilMs: number): Promise<{ unsent: EventReference[]; nextDueAt: number | undefined }> {
    const found: EventReference[] = [];
    let nextDueAt: number | undefined;
    for (let shard = 0; shard < SHARDS; shard++) {
      const input = {
        IndexName: "unsent",
        KeyConditionExpression: "unsent_shard = :shard",
        ExpressionAttributeValues: { ":shard": `${outbox.keyPrefix}${shard}` },
        Limit: SWEPT_AT_ONCE,
      };
      for await (const event of this.#table.all(input, referenceItem)) {
        const createdAt = Date.parse(event.created_at);
        if (createdAt > untilMs || found.length >= SWEPT_AT_ONCE) {
          nextDueAt = Math.min(nextDueAt ?? createdAt, createdAt);
          break;
        }
        found.push(eventReference.parse(event));
      }
    }
    return { unsent: found, nextDueAt };
  }

  /** Deletes the events of a user. @returns how many there were. */
  async eraseUser(scope: TeamScope, userId: string): Promise<number> {
    return this.#table.erasePartition(`${outbox.keyPrefix}${scope.teamId}#${userId}`);
  }
}

function toItem({ reference, body }: OutboxEvent, now: string): Item & Key {
  const shard = reference.event_id.charCodeAt(reference.event_id.length - 1) % SHARDS;
  return {
    ...eventKey(reference),
    ...reference,
    created_at: now,
    unsent_shard: `${outbox.keyPrefix}${shard}`,
    body: gzipSync(JSON.stringify(body)),
    expires_at: Math.floor(Date.parse(now) / 1000) + KEPT_S,
  };
}
