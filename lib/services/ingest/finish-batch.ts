import { toDeliveredBatches } from "../../domain/connections/pulls/delivered-data.ts";
import type { BatchMessage } from "../../domain/ingest/batch.ts";
import type { Dependencies } from "../../runtime/dependency-table.ts";
import { isoNow, ports } from "../../runtime/ports.ts";
import type { BatchCounts } from "../../store/events/outbox-items.ts";
import type { WriteItem } from "../../store/transaction.ts";
import {
  leaveUnfinishedEvents,
  type PublishBatchEventsDependencies,
  publishBatchEvents,
} from "../events/publish-batch-events.ts";
import type { BatchContext, StoreResult } from "./store-samples.ts";
import { countBatch, tallyOutcome, uniqueEvents } from "./tally-batch.ts";

/** Dependencies of {@link finishBatch}. */
export type FinishBatchDependencies = PublishBatchEventsDependencies & Dependencies<"receipts" | "deliveredData">;

/** A batch as its queue delivered it. */
export interface ReceivedBatch {
  readonly message: BatchMessage;
  readonly isRedelivered: boolean;
}

/**
 * Age from which a message may be a repetition without saying so: one that came back from the dead-letter queue, whose
 * deliveries are counted anew. A message that waits longer in a backlog costs one more read.
 */
const MAX_FRESH_MS = 2 * 60_000;
/** Characters of a receipt id that name a batch: they sort by time, and the rest only makes ids hard to guess. */
const BATCH_NAME_CHARACTERS = 13;

/**
 * Publishes the events of a stored batch, records what its provider delivered, and closes its receipt. The events carry
 * the counts of the batch to the usage of its team. Without an event, the closing transaction counts it.
 * @returns what the batch added.
 */
export async function finishBatch(
  deps: FinishBatchDependencies,
  context: BatchContext,
  results: readonly StoreResult[],
  { message, isRedelivered }: ReceivedBatch,
): Promise<BatchCounts> {
  const { scope, user, batch, receiptId } = context;
  const isRepeated = isRedelivered || ports().clock.now() - message.received_at > MAX_FRESH_MS;
  const about = { scope, userId: user.user_id, receiptId };
  const carried = isRepeated ? await leaveUnfinishedEvents(about, deps) : undefined;
  // A repetition finds its data stored, so it measures no growth.
  const counts = carried ?? countBatch(results, message);
  const eventful = { scope, receiptId, counts: carried ? undefined : counts };
  const { appended, isCounted } = await publishBatchEvents(uniqueEvents(results), eventful, deps);
  const name = receiptId.slice(0, BATCH_NAME_CHARACTERS);
  for (const delivered of toDeliveredBatches(batch, name, counts.bytes))
    await deps.deliveredData.addBatch(scope, user.user_id, delivered);
  const refused = results.flatMap((result) => result.refused);
  const closing = { outcome: tallyOutcome(results), refused, appended };
  const counting = isCounted
    ? []
    : deps.usage.addBatchItems(scope, { ...counts, spread: message.received_at }, ports().clock.now());
  const write = counting.length === 0 ? undefined : (close: WriteItem) => deps.commit([close, ...counting]);
  await deps.receipts.close(scope, user.user_id, receiptId, closing, isoNow(), write);
  return counts;
}
