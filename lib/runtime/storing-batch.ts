import type { BatchMessage, SampleBatch } from "../domain/batch.ts";
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
import { type Stored, type StoringContext, storeSamples, storeSummaries } from "./storing.ts";
import { storeStreams } from "./storing-streams.ts";
import { wireSourceOf } from "./wire-source.ts";

/** All that storing a batch has to know of it. */
export async function contextOf(
  { receipts, destinations }: { readonly receipts: ReceiptStore; readonly destinations: DestinationStore },
  scope: TeamScope,
  user: UserRecord,
  message: BatchMessage,
  batch: SampleBatch,
): Promise<StoringContext> {
  const { provider, source_type: type, device_id } = batch;
  // Only histories can be told in two ways.
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
  };
}

interface BatchUses {
  readonly chunks: ChunkStore;
  readonly summaries: SummaryStore;
  readonly streams: StreamStore;
}

/**
 * Stores what a batch brings, then what follows from it. The order matters: streams look for their workouts, and days of
 * which the batch gives the activity need none derived.
 */
export async function storeContent(uses: BatchUses, context: StoringContext): Promise<Stored[]> {
  const stored = [
    ...(await storeSamples(uses.chunks, context)),
    ...(await storeSummaries(uses.summaries, context)),
    ...(await storeStreams(uses, context)),
  ];
  return [...stored, await deriveActivity(uses, context, stored)];
}
