import { gunzipSync, gzipSync } from "node:zlib";
import * as z from "zod";
import { receipts } from "../../contract/resources.ts";
import {
  type IngestReceipt,
  type Rejection,
  rejection,
  type StorageOutcome,
  toRejections,
  type UnstoredRecord,
  wireIngestReceipt,
} from "../../domain/ingest/receipt.ts";
import { ConditionFailed } from "../condition-failed.ts";
import type { Key } from "../item.ts";
import { NOT_EXISTS, type Table } from "../table.ts";
import type { TeamScope } from "../team-scope.ts";
import type { WriteItem } from "../transaction.ts";

/** A stored receipt. Its rejections are compressed: ten thousand of them exceed the size of an item. */
const receiptItem = wireIngestReceipt.extend({ rejected: z.instanceof(Uint8Array) });

const pack = (rejected: readonly Rejection[]) => gzipSync(JSON.stringify(rejected));
const unpack = (packed: Uint8Array) => z.array(rejection).parse(JSON.parse(gunzipSync(packed).toString("utf8")));

/**
 * Position of the closing write in its transaction. Another failed condition does not mean that the receipt is closed.
 */
const CLOSING = 0;
/** Retention of closed receipts. */
const KEPT_S = 7 * 24 * 60 * 60;
/** Retention of pending receipts: a batch may wait days in its queue and two weeks in the dead-letter queue. */
const PENDING_S = 30 * 24 * 60 * 60;

const doneKey = (scope: TeamScope, userId: string, receiptId: string): Key => ({
  pk: `${receipts.keyPrefix}${scope.teamId}#${userId}`,
  sk: receiptId,
});

/** Pending receipts have their own partition, which is small enough to query for batches in progress. */
const pendingKey = (scope: TeamScope, userId: string, receiptId: string): Key => ({
  pk: `${receipts.keyPrefix}pending#${scope.teamId}#${userId}`,
  sk: receiptId,
});

/** Characters of the time at the start of a receipt id, in base 36, which sorts as text. */
const TIME_CHARACTERS = 9;
const timeName = (epochMs: number) => epochMs.toString(36).padStart(TIME_CHARACTERS, "0");

/** Creates a receipt id. It sorts by time; `random` (hex) makes ids of one millisecond unique. */
export const createReceiptId = (receivedAt: number, random: string): string => `${timeName(receivedAt)}${random}`;

/** Receipts of ingested batches: pending from before the batch is queued until it is stored, then done. */
export class ReceiptStore {
  readonly #table: Table;

  constructor(table: Table) {
    this.#table = table;
  }

  async get(scope: TeamScope, userId: string, receiptId: string): Promise<IngestReceipt | undefined> {
    const done = () => this.#table.get(doneKey(scope, userId, receiptId), receiptItem);
    const pending = () => this.#table.get(pendingKey(scope, userId, receiptId), receiptItem);
    // A receipt may move during the lookup, but only from pending to done.
    const item = (await done()) ?? (await pending()) ?? (await done());
    return item && { ...item, rejected: unpack(item.rejected) };
  }

  /** Creates the receipt of a batch before it is queued. @param now ISO 8601. */
  async open(
    scope: TeamScope,
    userId: string,
    receiptId: string,
    rejected: readonly Rejection[],
    now: string,
  ): Promise<void> {
    const counts = { stored: 0, updated: 0, unchanged: 0, event_ids: [] };
    const receipt = { receipt_id: receiptId, status: "pending", ...counts, rejected: pack(rejected) };
    const item = { ...pendingKey(scope, userId, receiptId), ...receipt, expires_at: expiry(now, PENDING_S) };
    await this.#table.put(item, { ConditionExpression: NOT_EXISTS });
  }

  /** Whether a batch is not yet stored. */
  async isPending(scope: TeamScope, userId: string, receiptId: string): Promise<boolean> {
    const item = await this.#table.get(pendingKey(scope, userId, receiptId), z.object({ sk: z.string() }));
    return item !== undefined;
  }

  /**
   * Whether an earlier or simultaneous batch of the user may still be stored. Batches arrive in no order. Only without
   * such a batch can a repeated value skip the record that it is the latest.
   */
  async hasOlderPending(scope: TeamScope, userId: string, receiptId: string, receivedAt: number): Promise<boolean> {
    const { items } = await this.#table.query(
      {
        KeyConditionExpression: "pk = :pk AND sk < :later",
        ExpressionAttributeValues: {
          ":pk": pendingKey(scope, userId, receiptId).pk,
          ":later": timeName(receivedAt + 1),
        },
        // One of two receipts may be the batch's own.
        Limit: 2,
      },
      z.object({ sk: z.string() }),
    );
    return items.some(({ sk }) => sk !== receiptId);
  }

  /**
   * Closes a receipt with the outcome of its batch. The first outcome stays if a batch is consumed twice.
   * @param refused accepted records that were rejected later, by their position among the accepted records of a
   * resource.
   * @param now ISO 8601.
   * @param write runs the transaction. It starts with the closing write and includes the writes that must happen once.
   */
  async close(
    scope: TeamScope,
    userId: string,
    receiptId: string,
    outcome: StorageOutcome,
    refused: readonly UnstoredRecord[],
    now: string,
    write: (close: WriteItem) => Promise<void>,
  ): Promise<void> {
    const opened = await this.#table.get(pendingKey(scope, userId, receiptId), receiptItem);
    if (!opened) return;
    const before = unpack(opened.rejected);
    const rejected = pack([...before, ...toRejections(refused, before)]);
    const done = { receipt_id: receiptId, status: "done", ...outcome, rejected, expires_at: expiry(now, KEPT_S) };
    try {
      const Item = { ...doneKey(scope, userId, receiptId), ...done };
      await write({ Put: { TableName: this.#table.name, Item, ConditionExpression: NOT_EXISTS } });
    } catch (error) {
      const isClosed = error instanceof ConditionFailed && error.items.has(CLOSING);
      if (!isClosed) throw error;
    }
    await this.#table.delete(pendingKey(scope, userId, receiptId));
  }

  async eraseUser(scope: TeamScope, userId: string): Promise<number> {
    const done = await this.#table.deletePartition(doneKey(scope, userId, "").pk);
    return done + (await this.#table.deletePartition(pendingKey(scope, userId, "").pk));
  }
}

const expiry = (now: string, keptS: number) => Math.floor(Date.parse(now) / 1000) + keptS;
