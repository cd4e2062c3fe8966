import { gunzipSync, gzipSync } from "node:zlib";
import * as z from "zod";
import { receipts } from "../contract/resources.ts";
import {
  type Outcome,
  type Receipt,
  type Refusal,
  type Rejection,
  rejection,
  toRejections,
  wireReceipt,
} from "../domain/receipt.ts";
import { ConditionFailed } from "./condition-failed.ts";
import { isNew, type Key, type Table } from "./table.ts";
import type { TeamScope } from "./team-scope.ts";
import type { WriteItem } from "./transaction.ts";

/** A receipt as kept: ten thousand rejections as they are would be more than an item holds. */
const receiptItem = wireReceipt.extend({ rejected: z.instanceof(Uint8Array) });

const pack = (rejected: readonly Rejection[]) => gzipSync(JSON.stringify(rejected));
const unpack = (packed: Uint8Array) => z.array(rejection).parse(JSON.parse(gunzipSync(packed).toString("utf8")));

/** Place in its transaction of the write that closes a receipt. Another's condition that fails there closes nothing. */
const CLOSING = 0;
/** Receipts can be read for this long. */
const KEPT_S = 7 * 24 * 60 * 60;
/** A batch is pending for as long as it may still be stored: days in its queue, and two weeks among the dead letters. */
const PENDING_S = 30 * 24 * 60 * 60;

const doneKey = (scope: TeamScope, userId: string, receiptId: string): Key => ({
  pk: `${receipts.keyPrefix}${scope.teamId}#${userId}`,
  sk: receiptId,
});

/** Pending receipts lie in a partition of their own, small enough to ask what is under way. */
const pendingKey = (scope: TeamScope, userId: string, receiptId: string): Key => ({
  pk: `${receipts.keyPrefix}pending#${scope.teamId}#${userId}`,
  sk: receiptId,
});

/** Time is the first part of a receipt's id, in letters and digits that sort as text. */
const TIME_CHARACTERS = 9;
const timeName = (epochMs: number) => epochMs.toString(36).padStart(TIME_CHARACTERS, "0");

/** The id of a receipt: it sorts by time, and `random` (hex) tells those of one millisecond apart. */
export const receiptId = (receivedAt: number, random: string): string => `${timeName(receivedAt)}${random}`;

/** Receipts of ingested batches: pending from before the batch is queued until it is stored, then done. */
export class ReceiptStore {
  readonly #table: Table;

  constructor(table: Table) {
    this.#table = table;
  }

  async get(scope: TeamScope, userId: string, receiptId: string): Promise<Receipt | undefined> {
    const done = () => this.#table.get(doneKey(scope, userId, receiptId), receiptItem);
    const pending = () => this.#table.get(pendingKey(scope, userId, receiptId), receiptItem);
    // A receipt may move while it is looked for, but only in this direction.
    const item = (await done()) ?? (await pending()) ?? (await done());
    return item && { ...item, rejected: unpack(item.rejected) };
  }

  /** Opens the receipt of a batch that is about to be queued. @param now ISO 8601. */
  async begin(
    scope: TeamScope,
    userId: string,
    receiptId: string,
    rejected: readonly Rejection[],
    now: string,
  ): Promise<void> {
    const counts = { stored: 0, updated: 0, unchanged: 0, event_ids: [] };
    const receipt = { receipt_id: receiptId, status: "pending", ...counts, rejected: pack(rejected) };
    const item = { ...pendingKey(scope, userId, receiptId), ...receipt, expires_at: expiry(now, PENDING_S) };
    await this.#table.put(item, { ConditionExpression: isNew });
  }

  /** Whether a batch has still to be stored. */
  async isPending(scope: TeamScope, userId: string, receiptId: string): Promise<boolean> {
    const item = await this.#table.get(pendingKey(scope, userId, receiptId), z.object({ sk: z.string() }));
    return item !== undefined;
  }

  /**
   * Whether a batch of the user that was received no later than this one may still be stored. Batches are in no order on
   * their way, so only where there is none does a value that came again need no note that it is the latest.
   */
  async isOlderPending(scope: TeamScope, userId: string, receiptId: string, receivedAt: number): Promise<boolean> {
    const { items } = await this.#table.query(
      {
        KeyConditionExpression: "pk = :pk AND sk < :later",
        ExpressionAttributeValues: {
          ":pk": pendingKey(scope, userId, receiptId).pk,
          ":later": timeName(receivedAt + 1),
        },
        // The batch's own receipt may be one of two.
        Limit: 2,
      },
      z.object({ sk: z.string() }),
    );
    return items.some(({ sk }) => sk !== receiptId);
  }

  /**
   * Closes a receipt with what storing did; the first outcome stays when a batch is consumed twice.
   * @param refused accepted records that turned out not to fit, by their place among the accepted ones of a resource.
   * @param now ISO 8601.
   * @param write closes it, by a transaction that begins with it and has whatever depends on it being closed once.
   */
  async finish(
    scope: TeamScope,
    userId: string,
    receiptId: string,
    outcome: Outcome,
    refused: readonly Refusal[],
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
      await write({ Put: { TableName: this.#table.name, Item, ConditionExpression: isNew } });
    } catch (error) {
      const isClosed = error instanceof ConditionFailed && error.items.has(CLOSING);
      if (!isClosed) throw error;
    }
    await this.#table.remove(pendingKey(scope, userId, receiptId));
  }

  async eraseUser(scope: TeamScope, userId: string): Promise<number> {
    const done = await this.#table.erasePartition(doneKey(scope, userId, "").pk);
    return done + (await this.#table.erasePartition(pendingKey(scope, userId, "").pk));
  }
}

const expiry = (now: string, keptS: number) => Math.floor(Date.parse(now) / 1000) + keptS;
