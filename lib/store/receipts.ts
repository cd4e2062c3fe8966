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
import { isNew, type Key, setting, type Table } from "./table.ts";
import type { TeamScope } from "./team-scope.ts";

/** A receipt as kept: ten thousand rejections as they are would be more than an item holds. */
const receiptItem = wireReceipt.extend({ rejected: z.instanceof(Uint8Array) });

const pack = (rejected: readonly Rejection[]) => gzipSync(JSON.stringify(rejected));
const unpack = (packed: Uint8Array) => z.array(rejection).parse(JSON.parse(gunzipSync(packed).toString("utf8")));

/** Receipts can be read for this long. */
const KEPT_S = 7 * 24 * 60 * 60;

const receiptKey = (scope: TeamScope, userId: string, receiptId: string): Key => ({
  pk: `${receipts.keyPrefix}${scope.teamId}#${userId}`,
  sk: receiptId,
});

/** Receipts of ingested batches. */
export class ReceiptStore {
  readonly #table: Table;

  constructor(table: Table) {
    this.#table = table;
  }

  async get(scope: TeamScope, userId: string, receiptId: string): Promise<Receipt | undefined> {
    const item = await this.#table.get(receiptKey(scope, userId, receiptId), receiptItem);
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
    const expires_at = Math.floor(Date.parse(now) / 1000) + KEPT_S;
    const item = { ...receiptKey(scope, userId, receiptId), ...receipt, expires_at };
    await this.#table.put(item, { ConditionExpression: isNew });
  }

  /**
   * Closes a receipt with what storing did; the first outcome stays when a batch is consumed twice.
   * @param refused accepted records that turned out not to fit, by their place among the accepted ones of a resource.
   */
  async finish(
    scope: TeamScope,
    userId: string,
    receiptId: string,
    outcome: Outcome,
    refused: readonly Refusal[],
  ): Promise<void> {
    const receipt = refused.length > 0 ? await this.get(scope, userId, receiptId) : undefined;
    const rejected = receipt && { rejected: pack([...receipt.rejected, ...toRejections(refused, receipt.rejected)]) };
    try {
      const { UpdateExpression, ...change } = setting({ status: "done", ...outcome, ...rejected });
      await this.#table.update(receiptKey(scope, userId, receiptId), {
        UpdateExpression,
        ConditionExpression: "#status = :pending",
        ExpressionAttributeNames: change.ExpressionAttributeNames,
        ExpressionAttributeValues: { ...change.ExpressionAttributeValues, ":pending": "pending" },
      });
    } catch (error) {
      if (!(error instanceof ConditionFailed)) throw error;
    }
  }

  eraseUser(scope: TeamScope, userId: string): Promise<number> {
    return this.#table.erasePartition(`${receipts.keyPrefix}${scope.teamId}#${userId}`);
  }
}
