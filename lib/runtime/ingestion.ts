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

/** Maximum base64 characters inside a queue message; larger batches go through the bucket. */
const MOST_INLINE_CHARACTERS = 200_000;

interface IngestionUses {
  readonly receipts: ReceiptStore;
  readonly ingestion: Queue;
  readonly batches: Bucket;
}

/**
 * Sends an accepted batch to the ingestion queue. Writes the receipt first: it exists once the sender has its id.
 * @param work the budgets charged for storing the batch.
 * @returns the receipt id, which sorts by time. @throws TooManyRequests if a budget is exhausted.
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

/** Loads the batch of a message, inline or from the bucket. */
export async function loadBatch(content: BatchMessage["content"], batches: Bucket): Promise<SampleBatch> {
  const bytes = "inline" in content ? Buffer.from(content.inline, "base64") : await batches.load(content.key);
  return sampleBatch.parse(JSON.parse(gunzipSync(bytes).toString("utf8")));
}
