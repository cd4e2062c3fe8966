import { type EventBody, type EventReference, eventReference } from "../../events/catalogue/envelope.ts";
import { isConditionMet, unlessConditionFailed } from "../condition-failed.ts";
import { InsertBatcher } from "../insert-batcher.ts";
import type { Item, Key } from "../item.ts";
import type { ReadItem } from "../read-item.ts";
import { NOT_EXISTS, type Table } from "../table.ts";
import type { TeamScope } from "../team-scope.ts";
import type { WriteItem } from "../transaction.ts";
import { leaveToSweeper, listOfBatch, type StoredBatchEvent } from "./batch-events.ts";
import { eraseEvents } from "./erase-events.ts";
import { decodeBody, encodeBody, encodeText } from "./event-body.ts";
import { findUnsentEvents } from "./find-unsent-events.ts";
import { getBodies, parseBody } from "./get-bodies.ts";
import {
  type BatchCounts,
  bodyItem,
  bodyKey,
  countedItem,
  creationItem,
  type ErasableItem,
  type EventBatch,
  type EventIdentity,
  eventIdentityKey,
  eventItem,
  eventKey,
  expiresAtS,
  itemIdentityKey,
  type OutboxEvent,
  toUnsentItem,
  UNKNOWN_SEQUENCE,
  userEventsPartition,
} from "./outbox-items.ts";

/** Longer bodies are separate items, so that publishing an event writes one unit, whatever the length of its body. */
const MAX_INLINE_BODY_BYTES = 400;

/** The outbox: events are written with or right after the change that they describe, and published from here. */
export class OutboxStore {
  readonly #table: Table;
  readonly #check: (body: EventBody) => void;
  readonly #traceparent: () => string | undefined;
  readonly #inserts: InsertBatcher;

  /**
   * @param check throws for a body that does not match its type; for tests.
   * @param traceparent the trace of the events that are stored now.
   */
  constructor(
    table: Table,
    check: (body: EventBody) => void = () => {},
    traceparent = (): string | undefined => undefined,
  ) {
    this.#table = table;
    this.#check = check;
    this.#traceparent = traceparent;
    this.#inserts = new InsertBatcher(table);
  }

  /** Builds the write of an event, for the transaction of its change. @param now ISO 8601. */
  appendItem({ reference, body }: OutboxEvent, now: string): WriteItem {
    this.#check(body);
    const item = { ...toUnsentItem(reference, now, this.#traceparent()), body: encodeBody(body) };
    return { Put: { TableName: this.#table.name, Item: item, ConditionExpression: NOT_EXISTS } };
  }

  /**
   * Appends an event. Idempotent: an event with the same id is the same event, because the id derives from its subject.
   */
  async append({ reference, body: content }: OutboxEvent, now: string): Promise<void> {
    this.#check(content);
    const body = encodeBody(content);
    const item = toUnsentItem(reference, now, this.#traceparent());
    if (body.length <= MAX_INLINE_BODY_BYTES) return this.#putNew({ ...item, body });
    await this.#putNew({ ...bodyKey(reference), body, expires_at: expiresAtS(Date.parse(now)) });
    await this.#putNew(item);
  }

  async #putNew(item: Item & Key): Promise<void> {
    await unlessConditionFailed(this.#table.put(item, { ConditionExpression: NOT_EXISTS }));
  }

  /** Stores an event for one endpoint. It is neither published nor in the feed. @param now ISO 8601. */
  async appendUnpublished(reference: EventReference, body: string, now: string): Promise<void> {
    const { unsent_shard: _, ...item } = toUnsentItem(reference, now, this.#traceparent());
    await this.#putNew({ ...item, body: encodeText(body) });
  }

  /** Returns the references of the events that exist, in no order. */
  getReferences(events: readonly EventIdentity[]): Promise<EventReference[]> {
    return this.#table.getMany(events.map(eventKey), eventReference);
  }

  /** Returns the body for receivers, JSON text; undefined once it expired or was erased. */
  async getBody(event: EventIdentity): Promise<string | undefined> {
    const item = await this.#table.get(eventKey(event), eventItem);
    const { body } = item?.body ? item : ((item && (await this.#table.get(bodyKey(event), bodyItem))) ?? {});
    return body && decodeBody(body);
  }

  /** Returns a read of an event body for a batch of reads, with the result of {@link getBody}. */
  readBodyItem(event: EventIdentity): ReadItem<string | undefined> {
    return { table: this.#table.name, keys: [eventKey(event), bodyKey(event)], parse: parseBody };
  }

  /** Returns a read of a body that its event contains, for a batch of reads; undefined for a body of its own item. */
  readInlineBodyItem(event: EventIdentity): ReadItem<string | undefined> {
    return { table: this.#table.name, keys: [eventKey(event)], parse: parseBody };
  }

  /** Returns the bodies of several events by {@link eventIdentityKey}. Expired and erased ones are absent. */
  getBodies(events: readonly EventIdentity[]): Promise<Map<string, string>> {
    return getBodies(this.#table, events);
  }

  /** Returns the creation times of events by {@link eventIdentityKey}, ISO 8601. */
  async getCreationTimes(events: readonly EventIdentity[]): Promise<Map<string, string>> {
    const items = await this.#table.getMany(events.map(eventKey), creationItem);
    return new Map(items.map((item) => [itemIdentityKey(item), item.created_at]));
  }

  /**
   * Stores the event of a batch, which publishes it and appends it to the feed itself ({@link publishBatchEvents}).
   * @returns whether the event is new.
   */
  appendOfBatch({ reference, body, samples }: OutboxEvent, origin: EventBatch, now: string): Promise<boolean> {
    this.#check(body);
    const { unsent_shard: _, ...item } = toUnsentItem(reference, now, this.#traceparent());
    const { receiptId: receipt_id, counts } = origin;
    const own = { receipt_id, sequence: UNKNOWN_SEQUENCE, ...(counts ? { counts } : {}) };
    return isConditionMet(this.#inserts.insert({ ...item, ...own, body: encodeBody(body, samples) }));
  }

  /** Returns the counts of batches that these events carry, by {@link eventIdentityKey}. */
  async getBatchCounts(events: readonly EventIdentity[]): Promise<Map<string, BatchCounts>> {
    const items = await this.#table.getMany(events.map(eventKey), countedItem);
    return new Map(items.flatMap((item) => (item.counts ? [[itemIdentityKey(item), item.counts] as const] : [])));
  }

  /**
   * Leaves an event of a batch to the sweeper, unless it has its sequence or belongs to another batch.
   * @returns whether the event belongs to the batch.
   */
  leaveToSweeper(reference: EventReference, receiptId: string): Promise<boolean> {
    return leaveToSweeper(this.#table, reference, receiptId);
  }

  /** Yields the events of a batch. Reads all events of the user. */
  listOfBatch(scope: TeamScope, userId: string, receiptId: string): AsyncGenerator<StoredBatchEvent> {
    return listOfBatch(this.#table, userEventsPartition(scope.teamId, userId), receiptId);
  }

  /** Records the sequence of an event that its batch appended to the feed. */
  async recordSequence(reference: EventReference, sequence: number, nowMs: number): Promise<void> {
    const { Update } = this.#assignSequence(reference, sequence, nowMs);
    await unlessConditionFailed(this.#table.update(eventKey(reference), Update));
  }

  /**
   * Builds the updates that assign sequences to published events, for the transaction that appends them to the feed. An
   * update fails if the event has a sequence or was erased.
   */
  assignSequenceItems(events: readonly EventReference[], first: number, nowMs: number): WriteItem[] {
    return events.map((event, index) => this.#assignSequence(event, first + index, nowMs));
  }

  #assignSequence(event: EventReference, sequence: number, nowMs: number) {
    return {
      Update: {
        TableName: this.#table.name,
        Key: eventKey(event),
        UpdateExpression: "SET #sequence = :sequence, expires_at = :expiry REMOVE unsent_shard",
        ConditionExpression: "attribute_exists(pk) AND attribute_not_exists(#sequence)",
        ExpressionAttributeNames: { "#sequence": "sequence" },
        ExpressionAttributeValues: { ":sequence": sequence, ":expiry": expiresAtS(nowMs) },
      },
    };
  }

  /** Returns the unpublished events written up to `untilMs`, and the time of the first later one (epoch ms). */
  listUnsent(untilMs: number): ReturnType<typeof findUnsentEvents> {
    return findUnsentEvents(this.#table, untilMs);
  }

  /**
   * Deletes the events of a user, each only while its sequence is unchanged.
   * @param forget removes the user from the feed entries of these events before they are deleted.
   * @returns the number of deleted items.
   */
  eraseUser(
    scope: TeamScope,
    userId: string,
    forget: (events: readonly ErasableItem[]) => Promise<void>,
  ): Promise<number> {
    return eraseEvents(this.#table, userEventsPartition(scope.teamId, userId), forget);
  }
}
