import {
  batchGetItem,
  conditionCheckItem,
  getItem,
  grants,
  partiqlInsert,
  putItem,
  queryItems,
  updateItem,
} from "../../contract/access.ts";
import { chunks, destinations, summaries, userKeys, users } from "../../contract/resources.ts";
import { createUserKeyAccess } from "../../contract/user-key-access.ts";
import type { BatchMessage, SampleBatch } from "../../domain/ingest/batch.ts";
import { splitBatch } from "../../domain/ingest/split-batch.ts";
import type { UserRecord } from "../../domain/users/user.ts";
import { selectDataEvents } from "../../events/constructors/data-events.ts";
import type { Queue } from "../../runtime/aws/queue.ts";
import type { Dependencies } from "../../runtime/dependency-table.ts";
import { wireSourceOf } from "../../runtime/wire-source.ts";
import type { DestinationStore } from "../../store/forwarding/destinations.ts";
import type { ReceiptStore } from "../../store/ingest/receipts.ts";
import type { TeamScope } from "../../store/team-scope.ts";
import { deriveActivity } from "./derive-activity.ts";
import { createLatestBatchCheck } from "./latest-batch-check.ts";
import { type BatchContext, type StoreResult, storeSamples, storeSummaries } from "./store-samples.ts";
import { storeStreams, storeStreamsAccess } from "./store-streams.ts";
import { totalGrowthBytes } from "./tally-batch.ts";

/** Creates the context of a batch to store. */
export async function createBatchContext(
  { receipts, destinations }: { readonly receipts: ReceiptStore; readonly destinations: DestinationStore },
  scope: TeamScope,
  user: UserRecord,
  message: BatchMessage,
  batch: SampleBatch,
): Promise<BatchContext> {
  const { provider, source_type: type, device_id, app_id } = batch;
  // Only historical batches depend on the setting of the destination.
  const destination = batch.stage === "historical" ? await destinations.get(scope) : undefined;
  return {
    scope,
    user,
    batch,
    source: wireSourceOf({ provider, type, device_id, app_id }),
    receiptId: message.receipt_id,
    receivedAt: message.received_at,
    announcement: selectDataEvents(batch, destination?.push_historical_data ?? false),
    // The receipts of a remap are as old as the payloads, so the batches after them are not known to be stored.
    isLatest: batch.remap_id === undefined ? createLatestBatchCheck(receipts, scope, message) : async () => false,
    isRepeated: message.progress !== undefined && message.progress.parts >= splitBatch(batch).length,
  };
}

/**
 * Stores the next part of a large batch, which bounds the writes per message, and queues the rest behind other batches.
 * Records no event before all parts are stored. The last message then processes the whole batch as a repeated one,
 * which rewrites no chunk and records all events.
 * @returns whether parts were left, so that the events of the batch are not yet due.
 */
export async function storeNextPart(
  deps: Pick<StoreBatchDependencies, "chunks" | "summaries"> & { readonly ingestion: Pick<Queue, "send"> },
  context: BatchContext,
  message: BatchMessage,
): Promise<boolean> {
  const { parts, grew_bytes } = message.progress ?? { parts: 0, grew_bytes: 0 };
  const part = splitBatch(context.batch)[parts];
  if (!part) return false;
  const own = { ...context, batch: part };
  const stored = [...(await storeSamples(deps.chunks, own)), ...(await storeSummaries(deps.summaries, own))];
  const progress = { parts: parts + 1, grew_bytes: grew_bytes + totalGrowthBytes(stored) };
  await deps.ingestion.send({ ...message, progress });
  return true;
}

type StoreBatchDependencies = Dependencies<"chunks" | "summaries" | "streams">;

/** Grants to store the content of a batch, and to create the key of its user first. */
export const storeBatchAccess = grants(
  getItem(destinations),
  [batchGetItem(chunks), queryItems(chunks), putItem(chunks), partiqlInsert(chunks)],
  [getItem(summaries), batchGetItem(summaries), queryItems(summaries), putItem(summaries), updateItem(summaries)],
  [conditionCheckItem(users), getItem(userKeys)],
  createUserKeyAccess,
  storeStreamsAccess,
);

/**
 * Stores the content of a batch, then derived data. The order matters: streams look up their workouts, and days whose
 * activity the batch contains need no derived activity.
 */
export async function storeBatchContent(deps: StoreBatchDependencies, context: BatchContext): Promise<StoreResult[]> {
  const stored = [
    ...(await storeSamples(deps.chunks, context)),
    ...(await storeSummaries(deps.summaries, context)),
    ...(await storeStreams(deps, context)),
  ];
  return [...stored, await deriveActivity(deps, context, stored)];
}
