import type { ChunkStore } from "../store/chunks.ts";
import type { StreamStore } from "../store/streams.ts";
import type { SummaryStore } from "../store/summaries.ts";
import { deriveActivity } from "./deriving.ts";
import { type Stored, type StoringContext, storeSamples, storeSummaries } from "./storing.ts";
import { storeStreams } from "./storing-streams.ts";

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
