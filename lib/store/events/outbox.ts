import type * as z from "zod";
import { type EventBody, type EventReference, eventReference } from "../../events/catalogue/envelope.ts";
import { unlessConditionFailed } from "../condition-failed.ts";
import type { Item, Key } from "../item.ts";
import type { ReadItem } from "../read-item.ts";
import { NOT_EXISTS, type Table } from "../table.ts";
import type { TeamScope } from "../team-scope.ts";
import type { WriteItem } from "../transaction.ts";
import { eraseEvents } from "./erase-events.ts";
import { type FeedPage, feedPageName } from "./event-feed.ts";
import {
  bodyItem,
  bodyKey,
  compressBody,
  compressText,
  creationItem,
  decompressBody,
  type EventIdentity,
  eventIdentityKey,
  eventItem,
  eventKey,
  expiresAtS,
  itemIdentityKey,
  toUnsentItem,
  unsentItem,
  unsentShards,
  userEventsPartition,
} from "./outbox-items.ts";

/** An event for the outbox: its reference and its body, which is stored compressed. */
export interface OutboxEvent {
  readonly reference: EventReference;
  readonly body: EventBody;
}

/** Maximum events of one sweep. A sweep has less than a minute. */
const MAX_EVENTS_PER_SWEEP = 500;
/** Longer bodies are separate items, so that publishing an event writes one unit, whatever the length of its body. */
const MAX_INLINE_BODY_BYTES = 400;

const unpackBody = (item: z.output<typeof bodyItem> | undefined) => item && decompressBody(item.body);

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
  appendItem({ reference, body }: OutboxEvent, now: string): WriteItem {
    this.#check(body);
    const item = { ...toUnsentItem(reference, now), body: compressBody(body) };
    return { Put: { TableName: this.#table.name, Item: item, ConditionExpression: NOT_EXISTS } };
  }

  /**
   * Appends an event. Idempotent: an event with the same id is the same event, because the id derives from its subject.
   */
  async append({ reference, body: content }: OutboxEvent, now: string): Promise<void> {
    this.#check(content);
    const body = compressBody(content);
    const item = toUnsentItem(reference, now);
    if (body.length <= MAX_INLINE_BODY_BYTES) return this.#putNew({ ...item, body });
    await this.#putNew({ ...bodyKey(reference), body, expires_at: expiresAtS(Date.parse(now)) });
    await this.#putNew(item);
  }

  async #putNew(item: Item & Key): Promise<void> {
    await unlessConditionFailed(this.#table.put(item, { ConditionExpression: NOT_EXISTS }));
  }

  /** Stores an event for one endpoint. It is neither published nor in the feed. @param now ISO 8601. */
  async appendUnpublished(reference: EventReference, body: string, now: string): Promise<void> {
    const { unsent_shard: _, ...item } = toUnsentItem(reference, now);
    await this.#putNew({ ...item, body: compressText(body) });
  }

  /** Returns the references of the events that exist, in no order. */
  getReferences(events: readonly EventIdentity[]): Promise<EventReference[]> {
    return this.#table.getMany(events.map(eventKey), eventReference);
  }

  /** Returns the body for receivers, JSON text; undefined once it expired or was erased. */
  async getBody(event: EventIdentity): Promise<string | undefined> {
    const item = await this.#table.get(eventKey(event), eventItem);
    const { body } = item?.body ? item : ((item && (await this.#table.get(bodyKey(event), bodyItem))) ?? {});
    return body && decompressBody(body);
  }

  /** Returns a read of an event body for a batch of reads, with the result of {@link getBody}. */
  readBodyItem(event: EventIdentity): ReadItem<string | undefined> {
    const parse = ([item, apart]: readonly (Item | undefined)[]) => {
      const inline = item && eventItem.parse(item);
      const body = inline?.body ?? (inline && apart && bodyItem.parse(apart).body);
      return body && decompressBody(body);
    };
    return { table: this.#table.name, keys: [eventKey(event), bodyKey(event)], parse: parse };
  }

  /** Returns a read of a body that has an item of its own, for a batch of reads; undefined for a short body. */
  readLongBodyItem(event: EventIdentity): ReadItem<string | undefined> {
    const reading = this.#table.readItem(bodyKey(event), bodyItem);
    return { ...reading, parse: (items) => unpackBody(reading.parse(items)) };
  }

  /** Returns the bodies of several events by {@link eventIdentityKey}. Expired and erased ones are absent. */
  async getBodies(events: readonly EventIdentity[]): Promise<Map<string, string>> {
    const items = await this.#table.getMany(events.map(eventKey), eventItem);
    const isApart = new Set(items.filter(({ body }) => body === undefined).map(itemIdentityKey));
    const apart = events.filter((event) => isApart.has(eventIdentityKey(event)));
    const inline = items.flatMap((item) =>
      item.body ? [[itemIdentityKey(item), decompressBody(item.body)] as const] : [],
    );
    const others = await this.#table.getMany(apart.map(bodyKey), bodyItem);
    return new Map([...inline, ...others.map((item) => [itemIdentityKey(item), decompressBody(item.body)] as const)]);
  }

  /** Returns the creation times of events by {@link eventIdentityKey}, ISO 8601. */
  async getCreationTimes(events: readonly EventIdentity[]): Promise<Map<string, string>> {
    const items = await this.#table.getMany(events.map(eventKey), creationItem);
    return new Map(items.map((item) => [itemIdentityKey(item), item.created_at]));
  }

  /**
   * Builds the updates that assign sequences to published events, for the transaction that appends them to the feed. An
   * update fails if the event has a sequence or was erased.
   */
  assignSequenceItems(page: FeedPage, nowMs: number): WriteItem[] {
    return page.events.map((event, index) => ({
      Update: {
        TableName: this.#table.name,
        Key: eventKey(event),
        UpdateExpression: "SET #sequence = :sequence, feed_page = :page, expires_at = :expiry REMOVE unsent_shard",
        ConditionExpression: "attribute_exists(pk) AND attribute_not_exists(#sequence)",
        ExpressionAttributeNames: { "#sequence": "sequence" },
        ExpressionAttributeValues: {
          ":sequence": page.after + 1 + index,
          ":page": feedPageName(page),
          ":expiry": expiresAtS(nowMs),
        },
      },
    }));
  }

  /**
   * Returns unpublished events written up to `untilMs` (epoch ms) in the order of writing, and the time of the first
   * later one. Returns at most {@link MAX_EVENTS_PER_SWEEP}; the next sweep gets the rest.
   */
  async listUnsent(untilMs: number): Promise<{ unsent: EventReference[]; nextDueAt: number | undefined }> {
    const found: z.output<typeof unsentItem>[] = [];
    let nextDueAt: number | undefined;
    for (const shard of unsentShards) {
      const input = {
        IndexName: "unsent",
        KeyConditionExpression: "unsent_shard = :shard",
        ExpressionAttributeValues: { ":shard": shard },
        Limit: MAX_EVENTS_PER_SWEEP,
      };
      for await (const event of this.#table.queryAll(input, unsentItem)) {
        const createdAt = Date.parse(event.created_at);
        if (createdAt > untilMs || found.length >= MAX_EVENTS_PER_SWEEP) {
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
    return eraseEvents(this.#table, userEventsPartition(scope.teamId, userId), forget);
  }
}
