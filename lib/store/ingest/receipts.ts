import * as z from "zod";
import { receipts } from "../../contract/resources.ts";
import { type IngestReceipt, type StorageOutcome, wireIngestReceipt } from "../../domain/ingest/receipt.ts";
import { type Rejection, toRejections, type UnstoredRecord } from "../../domain/ingest/rejection.ts";
import { ConditionFailed, unlessConditionFailed } from "../condition-failed.ts";
import type { Key } from "../item.ts";
import { packRejections, unpackRejections } from "../packed-rejections.ts";
import { NOT_EXISTS, setExpression, type Table } from "../table.ts";
import type { TeamScope } from "../team-scope.ts";
import type { WriteItem } from "../transaction.ts";
import { hasOlderPending, SETTLED } from "./pending-receipts.ts";

/** A stored receipt. */
const receiptItem = wireIngestReceipt.extend({ rejected: z.instanceof(Uint8Array) });
/** A receipt without the words of its rejections. */
export type ReceiptRecord = Omit<IngestReceipt, "rejected"> & { readonly rejected: readonly Rejection[] };
/** The feed sequence of the first event of a closed receipt, and the events from there on. */
const statusItem = z.object({ status: z.string() });
const sequencedReceipt = z.object({ sequence: z.number().int(), appended: z.array(z.string()) });

/** Retention of closed receipts: as long as their events, whose sequences they know. */
const KEPT_S = 37 * 24 * 60 * 60;
/** Retention of pending receipts: a batch may wait days in its queue and two weeks in the dead-letter queue. */
const PENDING_S = 30 * 24 * 60 * 60;

const receiptKey = (scope: TeamScope, userId: string, receiptId: string): Key => ({
  pk: `${receipts.keyPrefix}pending#${scope.teamId}#${userId}`,
  sk: receiptId,
});

/** The place of closed receipts in versions that moved them. */
const movedKey = (scope: TeamScope, userId: string, receiptId: string): Key => ({
  pk: `${receipts.keyPrefix}${scope.teamId}#${userId}`,
  sk: receiptId,
});

/** What closes a receipt. */
export interface ReceiptClosing {
  readonly outcome: StorageOutcome;
  /** Accepted records that were rejected later, by their position among the accepted records of a resource. */
  readonly refused: readonly UnstoredRecord[];
  /** The events that the batch appended to the feed, and the sequence of the first. */
  readonly appended?: { readonly first: number; readonly eventIds: readonly string[] } | undefined;
}

/** Receipts of ingested batches: pending from before the batch is queued until it is stored, then done. */
export class ReceiptStore {
  readonly #table: Table;

  constructor(table: Table) {
    this.#table = table;
  }

  async get(scope: TeamScope, userId: string, receiptId: string): Promise<ReceiptRecord | undefined> {
    if (receiptId === SETTLED) return undefined;
    const item =
      (await this.#table.get(receiptKey(scope, userId, receiptId), receiptItem)) ??
      (await this.#table.get(movedKey(scope, userId, receiptId), receiptItem));
    return item && { ...item, rejected: unpackRejections(item.rejected) };
  }

  /** Creates the receipt of a batch, or of a remap's batch, before it is queued. @param now ISO 8601. */
  async open(
    scope: TeamScope,
    userId: string,
    receiptId: string,
    rejected: readonly Rejection[],
    now: string,
    remapId?: string,
  ): Promise<void> {
    const counts = { stored: 0, updated: 0, unchanged: 0, event_ids: [] };
    const receipt = { receipt_id: receiptId, status: "pending", ...counts, rejected: packRejections(rejected) };
    const origin = remapId === undefined ? {} : { remap_id: remapId };
    const key = receiptKey(scope, userId, receiptId);
    const item = { ...key, ...receipt, ...origin, expires_at: expiry(now, PENDING_S) };
    // The id is new, so an existing receipt is this one: the client repeats a write whose answer was lost.
    await unlessConditionFailed(this.#table.put(item, { ConditionExpression: NOT_EXISTS }));
  }

  /** Whether a batch is not yet stored. */
  async isPending(scope: TeamScope, userId: string, receiptId: string): Promise<boolean> {
    const item = await this.#table.get(receiptKey(scope, userId, receiptId), statusItem);
    return item?.status === "pending";
  }

  /**
   * Whether an earlier or simultaneous batch of the user may still be stored. Batches arrive in no order. Only without
   * such a batch can a repeated value skip the record that it is the latest.
   */
  hasOlderPending(scope: TeamScope, userId: string, receiptId: string, receivedAt: number): Promise<boolean> {
    const { pk } = receiptKey(scope, userId, receiptId);
    return hasOlderPending(this.#table, pk, receiptId, receivedAt);
  }

  /**
   * Closes a receipt with the outcome of its batch. The first outcome stays if a batch is consumed twice.
   * @param now ISO 8601.
   * @param write runs the closing write in a transaction with writes that must happen once; by default alone.
   */
  async close(
    scope: TeamScope,
    userId: string,
    receiptId: string,
    closing: ReceiptClosing,
    now: string,
    write?: (close: WriteItem) => Promise<void>,
  ): Promise<void> {
    const key = receiptKey(scope, userId, receiptId);
    const change = closingUpdate(closing, await this.#rejectedAfter(key, closing), now);
    try {
      if (write) await write({ Update: { TableName: this.#table.name, Key: key, ...change } });
      else await this.#table.update(key, change);
    } catch (error) {
      const isClosed = error instanceof ConditionFailed && error.items.has(0);
      if (!isClosed) throw error;
    }
  }

  /** All rejections of a batch, if storing it added some. */
  async #rejectedAfter(key: Key, { refused }: ReceiptClosing): Promise<Uint8Array | undefined> {
    if (refused.length === 0) return undefined;
    const opened = await this.#table.get(key, receiptItem);
    const before = opened ? unpackRejections(opened.rejected) : [];
    return packRejections([...before, ...toRejections(refused, before)]);
  }

  /** Returns the sequences of the events that the batches of a user appended to the feed, by event id. */
  async getSequences(scope: TeamScope, userId: string): Promise<Map<string, number>> {
    const input = {
      KeyConditionExpression: "pk = :pk",
      FilterExpression: "attribute_exists(appended)",
      ExpressionAttributeValues: { ":pk": receiptKey(scope, userId, "").pk },
    };
    const sequences = new Map<string, number>();
    for await (const { sequence, appended } of this.#table.queryAll(input, sequencedReceipt))
      for (const [place, eventId] of appended.entries()) sequences.set(eventId, sequence + place);
    return sequences;
  }

  async eraseUser(scope: TeamScope, userId: string): Promise<number> {
    const moved = await this.#table.deletePartition(movedKey(scope, userId, "").pk);
    return moved + (await this.#table.deletePartition(receiptKey(scope, userId, "").pk));
  }
}

/** Builds the update that closes a pending receipt. */
function closingUpdate({ outcome, appended }: ReceiptClosing, rejected: Uint8Array | undefined, now: string) {
  const set = setExpression({
    status: "done",
    ...outcome,
    ...(rejected ? { rejected } : {}),
    ...(appended ? { sequence: appended.first, appended: appended.eventIds } : {}),
    expires_at: expiry(now, KEPT_S),
  });
  return {
    ...set,
    ConditionExpression: "#status = :pending",
    ExpressionAttributeValues: { ...set.ExpressionAttributeValues, ":pending": "pending" },
  };
}

const expiry = (now: string, keptS: number) => Math.floor(Date.parse(now) / 1000) + keptS;
