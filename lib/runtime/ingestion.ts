import { gunzipSync, gzipSync } from "node:zlib";
import type { AcceptedBatch } from "../domain/acceptance.ts";
import { type BatchMessage, type SampleBatch, sampleBatch } from "../domain/batch.ts";
import { itemsOf } from "../domain/batch-parts.ts";
import { storingUnits } from "../domain/work.ts";
import { type ReceiptStore, receiptId } from "../store/receipts.ts";
import type { TeamScope } from "../store/team-scope.ts";
import type { Bucket } from "./bucket.ts";
import { ports } from "./ports.ts";
import type { Queue } from "./queue.ts";
import type { Work } from "./work-limit.ts";

/** The most base64 characters that travel inside a message; more goes by way of the bucket. */
const MOST_INLINE_CHARACTERS = 200_000;

interface IngestionUses {
  readonly receipts: ReceiptStore;
  readonly ingestion: Queue;
  readonly batches: Bucket;
}

/**
 * Puts an accepted batch on the ingestion queue, its receipt first, so that a receipt can be asked for from the moment
 * the sender knows of it. @param work the budgets that pay for storing it.
 * @returns the receipt id, which sorts by time. @throws TooManyRequests where a budget is spent.
 */
export async function queueBatch(
  { receipts, ingestion, batches }: IngestionUses,
  scope: TeamScope,
  userId: string,
  { batch, rejected, accepted }: AcceptedBatch,
  receivedAt: number,
  work: Pick<Work, "spend">,
): Promise<string> {
  await work.spend(storingUnits(itemsOf(batch), accepted));
  const id = receiptId(receivedAt, ports().ids.bytes(8).toString("hex"));
  const content = gzipSync(JSON.stringify(batch));
  const inline = content.toString("base64");
  const key = `${scope.teamId}/${userId}/${id}`;
  const isInline = inline.length <= MOST_INLINE_CHARACTERS;
  if (!isInline) await batches.keep(key, content);
  await receipts.begin(scope, userId, id, rejected, new Date(receivedAt).toISOString());
  const message: BatchMessage = {
    team_id: scope.teamId,
    user_id: userId,
    receipt_id: id,
    received_at: receivedAt,
    content: isInline ? { inline } : { key },
  };
  await ingestion.send(message);
  return id;
}

/** The batch that a message carries or points to. */
export async function loadBatch(content: BatchMessage["content"], batches: Bucket): Promise<SampleBatch> {
  const bytes = "inline" in content ? Buffer.from(content.inline, "base64") : await batches.load(content.key);
  return sampleBatch.parse(JSON.parse(gunzipSync(bytes).toString("utf8")));
}
