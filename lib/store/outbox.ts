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

/** An event to be written: its reference and its body, which is kept compressed. */
export interface OutboxEvent {
  readonly reference: EventReference;
  readonly body: EventBody;
}

/** Events that one sweep publishes at most; it has less than a minute. */
const SWEPT_AT_ONCE = 500;
/** An event with a longer body has it in an item apart: then publishing writes one unit, however long the body is. */
const MOST_INLINE_BYTES = 400;

/** Every event ever due: written with or right after the change it tells of, and published from here. */
export class OutboxStore {
  readonly #table: Table;
  readonly #check: (body: EventBody) => void;

  /** @param check refuses a body that is not as its type says; for tests, by throwing. */
  constructor(table: Table, check: (body: EventBody) => void = () => {}) {
    this.#table = table;
    this.#check = check;
  }

  /** The write of an event, for the transaction of the change it tells of. @param now ISO 8601. */
  addItem({ reference, body }: OutboxEvent, now: string): WriteItem {
    this.#check(body);
    const item = { ...newItem(reference, now), body: pack(body) };
    return { Put: { TableName: this.#table.name, Item: item, ConditionExpression: isNew } };
  }

  /** Writes an event unless it is there already (then it is the same one: its id says what it is about). */
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

  /** Writes an event that is for one endpoint alone: it is neither published nor in the feed. @param now ISO 8601. */
  async keepApart(reference: EventReference, body: string, now: string): Promise<void> {
    const { unsent_shard: _, ...item } = newItem(reference, now);
    await this.#putNew({ ...item, body: packText(body) });
  }

  /** Those of the events that are there, in no order. */
  references(events: readonly NamedEvent[]): Promise<EventReference[]> {
    return this.#table.getMany(events.map(eventKey), eventReference);
  }

  /** The body as it goes to receivers, JSON text; undefined once expired or erased. */
  async body(event: NamedEvent): Promise<string | undefined> {
    const item = await this.#table.get(eventKey(event), eventItem);
    const { body } = item?.body ? item : ((item && (await this.#table.get(bodyKey(event), bodyItem))) ?? {});
    return body && unpack(body);
  }

  /** The body of an event, as {@link body} answers it, to be read together with other things. */
  readingBody(event: NamedEvent): ReadItem<string | undefined> {
    const parse = ([item, apart]: readonly (Item | undefined)[]) => {
      const inline = item && eventItem.parse(item);
      const body = inline?.body ?? (inline && apart && bodyItem.parse(apart).body);
      return body && unpack(body);
    };
    return { table: this.#table.name, keys: [eventKey(event), bodyKey(event)], of: parse };
  }

  /** The bodies of several events by {@link eventName}, without those that are expired or erased. */
  async bodies(events: readonly NamedEvent[]): Promise<Map<string, string>> {
    const items = await this.#table.getMany(events.map(eventKey), eventItem);
    const isApart = new Set(items.filter(({ body }) => body === undefined).map(itemName));
    const apart = events.filter((event) => isApart.has(eventName(event)));
    const inline = items.flatMap((item) => (item.body ? [[itemName(item), unpack(item.body)] as const] : []));
    const others = await this.#table.getMany(apart.map(bodyKey), bodyItem);
    return new Map([...inline, ...others.map((item) => [itemName(item), unpack(item.body)] as const)]);
  }

  /** When events were written, by {@link eventName}, ISO 8601. */
  async writtenAt(events: readonly NamedEvent[]): Promise<Map<string, string>> {
    const items = await this.#table.getMany(events.map(eventKey), writtenItem);
    return new Map(items.map((item) => [itemName(item), item.created_at]));
  }

  /**
   * The marks of published events, for the transaction that appends them to the feed of their team. A mark is refused
   * where the event has a sequence already, or was erased meanwhile.
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
   * Events written up to `untilMs` (epoch ms) that the bus does not have yet, in the order in which they were written,
   * and when the first younger one was. At most {@link SWEPT_AT_ONCE} are answered, the rest is for the next sweep.
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
   * Deletes the events of a user, each only while the feed lists it where it did when it was read.
   * @param forget takes the user out of these pages of the feed; called before the events that know them are deleted.
   * @returns how many items there were.
   */
  eraseUser(scope: TeamScope, userId: string, forget: (pages: readonly string[]) => Promise<void>): Promise<number> {
    return eraseEvents(this.#table, eventsOf(scope.teamId, userId), forget);
  }
}
