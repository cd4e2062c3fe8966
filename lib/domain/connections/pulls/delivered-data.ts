import * as z from "zod";
import type { SampleBatch } from "../../ingest/batch.ts";
import { findSummaryKind } from "../../summaries/summary-kinds.ts";
import { findResource } from "../../timeseries/resources.ts";
import { batchRanges, mergeRanges } from "./history-ranges.ts";

const ofResource = z.object({ oldest: z.string(), newest: z.string(), sent_count: z.int() });
/**
 * Statistics of the data that a provider delivered for a user, by event name of the resource. Instants are ISO 8601.
 */
export const deliveredData = z.object({
  provider: z.string(),
  resources: z.record(z.string(), ofResource),
  /** Number of changes, for optimistic concurrency. */
  version: z.int(),
});
export type DeliveredData = z.output<typeof deliveredData>;

/** Counts the records of a batch by resource. */
function countRecords({ samples, summaries }: SampleBatch): Record<string, number> {
  const counts: Record<string, number> = {};
  const add = (name: string | undefined, count: number) => {
    if (name) counts[name] = (counts[name] ?? 0) + count;
  };
  for (const [name, all] of Object.entries(samples)) add(findResource(name)?.eventName, all.length);
  for (const [name, all] of Object.entries(summaries)) add(findSummaryKind(name)?.name, all.length);
  return counts;
}

/** Adds a batch to the statistics. @param before undefined for the first batch. */
export function addDeliveredBatch(before: DeliveredData | undefined, batch: SampleBatch): DeliveredData {
  const resources = { ...before?.resources };
  const counts = countRecords(batch);
  for (const [name, range] of Object.entries(batchRanges(batch))) {
    const known = resources[name];
    const earlier = known ? [{ [name]: { start_date: known.oldest, end_date: known.newest } }] : [];
    const { [name]: joined = range } = mergeRanges([...earlier, { [name]: range }]);
    const sent_count = (known?.sent_count ?? 0) + (counts[name] ?? 0);
    resources[name] = { oldest: joined.start_date, newest: joined.end_date, sent_count };
  }
  return { provider: batch.provider, resources, version: (before?.version ?? 0) + 1 };
}
