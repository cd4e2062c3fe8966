import type { BatchMessage } from "../../domain/ingest/batch.ts";
import type { StoredBatch } from "../../events/lake/lake-message.ts";
import type { Dependencies } from "../../runtime/dependency-table.ts";
import type { StoreResult } from "./store-samples.ts";

/**
 * Names the places that a batch changed to the lake, if the deployment has one. Precedes the close of the receipt, so
 * that a batch that breaks off says it again.
 */
export async function announceToLake(
  { lakeAppends }: Dependencies<"lakeAppends">,
  { team_id, user_id, receipt_id, received_at }: BatchMessage,
  results: readonly StoreResult[],
): Promise<void> {
  if (!lakeAppends) return;
  const samples: StoredBatch["samples"] = {};
  const summaries: StoredBatch["summaries"] = {};
  for (const { changed, days } of results) {
    if (changed && changed.now.length > 0) samples[changed.resource] = rangeOf(changed.now.map(({ start }) => start));
    if (days) summaries[days.kind] = days.range;
  }
  if (Object.keys(samples).length + Object.keys(summaries).length === 0) return;
  const message: StoredBatch = { kind: "batch", team_id, user_id, receipt_id, received_at, samples, summaries };
  await lakeAppends.send(message);
}

const rangeOf = (instants: readonly number[]) =>
  instants.reduce<[number, number]>(
    ([first, last], ms) => [Math.min(first, ms), Math.max(last, ms)],
    [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY],
  );
