import { gunzipSync, gzipSync } from "node:zlib";
import { putItem, putObject, sendMessage } from "../../contract/access.ts";
import { ingestion } from "../../contract/queues.ts";
import { batches, receipts } from "../../contract/resources.ts";
import type { AcceptedBatch } from "../../domain/ingest/accept-batch.ts";
import { type BatchMessage, type SampleBatch, sampleBatch } from "../../domain/ingest/batch.ts";
import { countItems } from "../../domain/ingest/split-batch.ts";
import { storageUnits } from "../../domain/usage/work-budget.ts";
import type { Bucket } from "../../runtime/aws/bucket.ts";
import type { WorkMeter } from "../../runtime/callers/work-limit.ts";
import type { Dependencies } from "../../runtime/dependency-table.ts";
import { ports } from "../../runtime/ports.ts";
import { createReceiptId } from "../../store/ingest/receipt-id.ts";
import type { TeamScope } from "../../store/team-scope.ts";

/** Maximum base64 characters inside a queue message; larger batches go through the bucket. */
const MAX_INLINE_CHARACTERS = 200_000;

type QueueBatchDependencies = Dependencies<"receipts" | "ingestion" | "batches">;

/** Grants of {@link queueBatch}. */
export const queueBatchAccess = [putItem(receipts), sendMessage(ingestion), putObject(batches)] as const;

/**
 * Sends an accepted batch to the ingestion queue. Writes the receipt first: it exists once the sender has its id.
 * @param work the budgets charged for storing the batch.
 * @returns the receipt id, which sorts by time. @throws TooManyRequests if a budget is exhausted.
 */
export async function queueBatch(
  deps: QueueBatchDependencies,
  scope: TeamScope,
  userId: string,
  { batch, rejected, accepted }: AcceptedBatch,
  receivedAt: number,
  work: Pick<WorkMeter, "spend">,
): Promise<string> {
  await work.spend(storageUnits(countItems(batch), accepted));
  const id = createReceiptId(receivedAt, ports().ids.bytes(8).toString("hex"));
  const open = () => deps.receipts.open(scope, userId, id, rejected, new Date(receivedAt).toISOString());
  await sendBatch(deps, scope, userId, batch, { id, receivedAt, open });
  return id;
}

/** The receipt of a batch to send. `open` creates it. */
interface NewReceipt {
  readonly id: string;
  readonly receivedAt: number;
  readonly open: () => Promise<unknown>;
}

/** Sends a batch to the ingestion queue, after its receipt exists. */
export async function sendBatch(
  { ingestion, batches }: Dependencies<"ingestion" | "batches">,
  scope: TeamScope,
  userId: string,
  batch: SampleBatch,
  { id, receivedAt, open }: NewReceipt,
): Promise<void> {
  const content = gzipSync(JSON.stringify(batch));
  const inline = content.toString("base64");
  const key = `${scope.teamId}/${userId}/${id}`;
  const isInline = inline.length <= MAX_INLINE_CHARACTERS;
  if (!isInline) await batches.put(key, content);
  await open();
  const message: BatchMessage = {
    team_id: scope.teamId,
    user_id: userId,
    receipt_id: id,
    received_at: receivedAt,
    content: isInline ? { inline } : { key },
  };
  await ingestion.send(message);
}

/** Loads the batch of a message, inline or from the bucket. */
export async function loadBatch(content: BatchMessage["content"], batches: Bucket): Promise<SampleBatch> {
  const bytes = "inline" in content ? Buffer.from(content.inline, "base64") : await batches.get(content.key);
  return sampleBatch.parse(JSON.parse(gunzipSync(bytes).toString("utf8")));
}
