import type * as z from "zod";
import { type EventBody, type EventReference, eventReference } from "../events/envelope.ts";
import { ConditionFailed } from "./condition-failed.ts";
import { eraseEvents } from "./erased-events.ts";
import { type FeedPage, pageName } from "./event-feed.ts";
import {
  bodyItem,
  bodyKey,
  eventItem,
  eventKey,
  eventName,
  eventsOf,
  expiry,
  itemName,
  type NamedEvent,
  newItem,
  pack,
  packText,
  unpack,
  unsentItem,
  unsentShards,
  writtenItem,
} from "./outbox-items.ts";
import type { ReadItem } from "./read-item.ts";
import { type Item, isNew, type Key, type Table } from "./table.ts";
import type { TeamScope } from "./team-scope.ts";
import type { WriteItem } from "./transaction.ts";

/** An event for the outbox: its reference and its body, which is stored compressed. */
export interface OutboxEvent {
  readonly reference: EventReference;
  readonly body: EventBody;
}

/** Maximum events of one sweep. A sweep has less than a minute. */
const SWEPT_AT_ONCE = 500;
/** Longer bodies are separate items, so that publishing an event writes one unit, whatever the length of its body. */
const MOST_INLINE_BYTES = 400;

/** The outbox: events are written with or right after the change that they describe, and published from here. */
export class OutboxStore {
  readonly #table: Table;
  readonly #check: (body: EventBody) => void;

  /** @param check throws for a body that does not match its type; for tests. */
  constructor(table: Table, check: (body: EventBody) => void = () => {}) {
    this.#table = table;
    this.#check = check;
  }

  /** Builds the write of an event, for the transaction of its change. @param now ISO 8601. */
  addItem({ reference, body }: OutboxEvent, now: string): WriteItem {
    this.#check(body);
    const item = { ...newItem(reference, now), body: pack(body) };
    return { Put: { TableName: this.#table.name, Item: item, ConditionExpression: isNew } };
  }

  /**
   * Appends an event. Idempotent: an event with the same id is the same event, because the id derives from its subject.
   */
  async add({ reference, body: content }: OutboxEvent, now: string): Promise<void> {
    this.#check(content);
    const body = pack(content);
    const item = newItem(reference, now);
    if (body.length <= MOST_INLINE_BYTES) return this.#putNew({ ...item, body });
    await this.#putNew({ ...bodyKey(reference), body, expires_at: expiry(Date.parse(now)) });
    await this.#putNew(item);
  }

  async #putNew(item: Item & Key): Promise<void> {
    try {
      await this.#table.put(item, { ConditionExpression: isNew });
    } catch (error) {
      if (!(error instanceof ConditionFailed)) throw error;
    }
  }

  /** Stores an event for one endpoint. It is neither published nor in the feed. @param now ISO 8601. */
  async keepApart(reference: EventReference, body: string, now: string): Promise<void> {
    const { unsent_shard: _, ...item } = newItem(reference, now);
    await this.#putNew({ ...item, body: packText(body) });
  }

  /** Returns the references of the events that exist, in no order. */
  references(events: readonly NamedEvent[]): Promise<EventReference[]> {
    return this.#table.getMany(events.map(eventKey), eventReference);
  }

  /** Returns the body for receivers, JSON text; undefined once it expired or was erased. */
  async body(event: NamedEvent): Promise<string | undefined> {
    const item = await this.#table.get(eventKey(event), eventItem);
    const { body } = item?.body ? item : ((item && (await this.#table.get(bodyKey(event), bodyItem))) ?? {});
    return body && unpack(body);
  }

  /** Returns a read of an event body for a batch of reads, with the result of {@link body}. */
  readingBody(event: NamedEvent): ReadItem<string | undefined> {
    const parse = ([item, apart]: readonly (Item | undefined)[]) => {
      const inline = item && eventItem.parse(item);
      const body = inline?.body ?? (inline && apart && bodyItem.parse(apart).body);
      return body && unpack(body);
    };
    return { table: this.#table.name, keys: [eventKey(event), bodyKey(event)], of: parse };
  }

  /** Returns the bodies of several events by {@link eventName}. Expired and erased ones are absent. */
  async bodies(events: readonly NamedEvent[]): Promise<Map<string, string>> {
    const items = await this.#table.getMany(events.map(eventKey), eventItem);
    const isApart = new Set(items.filter(({ body }) => body === undefined).map(itemName));
    const apart = events.filter((event) => isApart.has(eventName(event)));
    const inline = items.flatMap((item) => (item.body ? [[itemName(item), unpack(item.body)] as const] : []));
    const others = await this.#table.getMany(apart.map(bodyKey), bodyItem);
    return new Map([...inline, ...others.map((item) => [itemName(item), unpack(item.body)] as const)]);
  }

  /** Returns the creation times of events by {@link eventName}, ISO 8601. */
  async writtenAt(events: readonly NamedEvent[]): Promise<Map<string, string>> {
    const items = await this.#table.getMany(events.map(eventKey), writtenItem);
    return new Map(items.map((item) => [itemName(item), item.created_at]));
  }

  /**
   * Builds the updates that assign sequences to published events, for the transaction that appends them to the feed. An
   * update fails if the event has a sequence or was erased.
   */
  sequenceItems(page: FeedPage, nowMs: number): WriteItem[] {
    return page.events.map((event, index) => ({
      Update: {
        TableName: this.#table.name,
        Key: eventKey(event),
        UpdateExpression: "SET #sequence = :sequence, feed_page = :page, expires_at = :expiry REMOVE unsent_shard",
        ConditionExpression: "attribute_exists(pk) AND attribute_not_exists(#sequence)",
        ExpressionAttributeNames: { "#sequence": "sequence" },
        ExpressionAttributeValues: {
          ":sequence": page.after + 1 + index,
          ":page": pageName(page),
          ":expiry": expiry(nowMs),
        },
      },
    }));
  }

  /**
   * Returns unpublished events written up to `untilMs` (epoch ms) in the order of writing, and the time of the first
   * later one. Returns at most {@link SWEPT_AT_ONCE}; the next sweep gets the rest.
   */
  async unsent(untilMs: number): Promise<{ unsent: EventReference[]; nextDueAt: number | undefined }> {
    const found: z.output<typeof unsentItem>[] = [];
    let nextDueAt: number | undefined;
    for (const shard of unsentShards) {
      const input = {
        IndexName: "unsent",
        KeyConditionExpression: "unsent_shard = :shard",
        ExpressionAttributeValues: { ":shard": shard },
        Limit: SWEPT_AT_ONCE,
      };
      for await (const event of this.#table.all(input, unsentItem)) {
        const createdAt = Date.parse(event.created_at);
        if (createdAt > untilMs || found.length >= SWEPT_AT_ONCE) {
          nextDueAt = Math.min(nextDueAt ?? createdAt, createdAt);
          break;
        }
        found.push(event);
      }
    }
    const inOrder = found.sort((a, b) => Date.parse(a.created_at) - Date.parse(b.created_at));
    return { unsent: inOrder.map((event) => eventReference.parse(event)), nextDueAt };
  }

  /**
   * Deletes the events of a user, each only while its feed page is unchanged.
   * @param forget removes the user from these feed pages before their events are deleted.
   * @returns the number of deleted items.
   */
  eraseUser(scope: TeamScope, userId: string, forget: (pages: readonly string[]) => Promise<void>): Promise<number> {
    return eraseEvents(this.#table, eventsOf(scope.teamId, userId), forget);
  }
}
