import type { BatchMessage, SampleBatch } from "../domain/batch.ts";
import { partsOf } from "../domain/batch-parts.ts";
import type { UserRecord } from "../domain/user.ts";
import { announcementOf } from "../events/data-events.ts";
import type { ChunkStore } from "../store/chunks.ts";
import type { DestinationStore } from "../store/destinations.ts";
import type { ReceiptStore } from "../store/receipts.ts";
import type { StreamStore } from "../store/streams.ts";
import type { SummaryStore } from "../store/summaries.ts";
import type { TeamScope } from "../store/team-scope.ts";
import { deriveActivity } from "./deriving.ts";
import { isLatestOf } from "./is-latest.ts";
import type { Queue } from "./queue.ts";
import { growthOf, type Stored, type StoringContext, storeSamples, storeSummaries } from "./storing.ts";
import { storeStreams } from "./storing-streams.ts";
import { wireSourceOf } from "./wire-source.ts";

/** Creates the context of a batch to store. */
export async function contextOf(
  { receipts, destinations }: { readonly receipts: ReceiptStore; readonly destinations: DestinationStore },
  scope: TeamScope,
  user: UserRecord,
  message: BatchMessage,
  batch: SampleBatch,
): Promise<StoringContext> {
  const { provider, source_type: type, device_id } = batch;
  // Only historical batches depend on the setting of the destination.
  const destination = batch.stage === "historical" ? await destinations.get(scope) : undefined;
  return {
    scope,
    user,
    batch,
    source: wireSourceOf({ provider, type, device_id }),
    receiptId: message.receipt_id,
    receivedAt: message.received_at,
    announcement: announcementOf(batch, destination?.push_historical_data ?? false),
    isLatest: isLatestOf(receipts, scope, message),
    isRepeated: message.progress !== undefined && message.progress.parts >= partsOf(batch).length,
  };
}

/**
 * Stores the next part of a large batch, which bounds the writes per message, and queues the rest behind other batches.
 * Records no event before all parts are stored. The last message then processes the whole batch as a repeated one,
 * which rewrites no chunk and records all events.
 * @returns whether parts were left, so that the events of the batch are not yet due.
 */
export async function storeNextPart(
  uses: Pick<BatchUses, "chunks" | "summaries"> & { readonly ingestion: Pick<Queue, "send"> },
  context: StoringContext,
  message: BatchMessage,
): Promise<boolean> {
  const { parts, grew_bytes } = message.progress ?? { parts: 0, grew_bytes: 0 };
  const part = partsOf(context.batch)[parts];
  if (!part) return false;
  const own = { ...context, batch: part };
  const stored = [...(await storeSamples(uses.chunks, own)), ...(await storeSummaries(uses.summaries, own))];
  const progress = { parts: parts + 1, grew_bytes: grew_bytes + growthOf(stored) };
  await uses.ingestion.send({ ...message, progress });
  return true;
}

interface BatchUses {
  readonly chunks: ChunkStore;
  readonly summaries: SummaryStore;
  readonly streams: StreamStore;
}

/**
 * Stores the content of a batch, then derived data. The order matters: streams look up their workouts, and days whose
 * activity the batch contains need no derived activity.
 */
export async function storeContent(uses: BatchUses, context: StoringContext): Promise<Stored[]> {
  const stored = [
    ...(await storeSamples(uses.chunks, context)),
    ...(await storeSummaries(uses.summaries, context)),
    ...(await storeStreams(uses, context)),
  ];
  return [...stored, await deriveActivity(uses, context, stored)];
}
