import * as z from "zod";
import type { SampleBatch } from "../../ingest/batch.ts";
import { findSummaryKind } from "../../summaries/summary-kinds.ts";
import { findResource } from "../../timeseries/resources.ts";
import { batchRanges, type HistoryRanges, instantsRange, UNDATED } from "./history-ranges.ts";

/** Times of the delivered records; {@link UNDATED} where the records have none. */
const ofResource = z.object({
  oldest: z.string(),
  newest: z.string(),
  sent_count: z.int(),
  /** Time of the newest record that a push of the provider delivered. */
  pushed_newest: z.string().optional(),
});
/**
 * Statistics of the data that a provider delivered for a user, by event name of the resource. Instants are ISO 8601.
 */
export const deliveredData = z.object({
  provider: z.string(),
  resources: z.record(z.string(), ofResource),
  /** Growth of the user's stored data, bytes. */
  bytes: z.int().default(0),
  /** The batches that were added last, so that a repeated one is not added twice. */
  batches: z.set(z.string()).default(new Set()),
  /** Number of changes. */
  version: z.number().optional(),
});
export type DeliveredData = z.output<typeof deliveredData>;

/** What a batch adds to the statistics of its provider. */
export interface DeliveredBatch {
  readonly provider: string;
  /** Sorts by time of receipt. */
  readonly batchId: string;
  readonly resources: DeliveredData["resources"];
  readonly bytes: number;
}

/** Characters at the start of a batch's name that are the time of its receipt, in base 36. */
const TIME_CHARACTERS = 9;

/** Time of receipt of a named batch, epoch milliseconds. */
export const receivedAtOf = (batchId: string): number => Number.parseInt(batchId.slice(0, TIME_CHARACTERS), 36);

/** Name of the resource of a kind of summary. Devices have data at a route of their own, and so another name. */
const resourceOf = (kind: string) => (kind === "devices" ? "device" : findSummaryKind(kind)?.name);

/** Counts the records of a batch by resource. */
function countRecords({ samples, summaries, streams }: SampleBatch): Record<string, number> {
  const counts: Record<string, number> = {};
  const add = (name: string | undefined, count: number) => {
    if (name) counts[name] = (counts[name] ?? 0) + count;
  };
  for (const [name, all] of Object.entries(samples)) add(findResource(name)?.eventName, all.length);
  for (const [name, all] of Object.entries(summaries)) add(resourceOf(name), all.length);
  for (const [name, all] of Object.entries(streams)) add(name, all.length);
  return counts;
}

/** Time ranges of the resources without events of histories: devices and streams. */
function otherRanges({ summaries, streams }: SampleBatch): HistoryRanges {
  const ofStreams = Object.entries(streams).map(
    ([name, all]) => [name, instantsRange(all.map(({ startMs }) => startMs))] as const,
  );
  const hasDevices = (summaries.devices ?? []).length > 0;
  return {
    ...Object.fromEntries(ofStreams),
    ...(hasDevices ? { device: { start_date: UNDATED, end_date: UNDATED } } : {}),
  };
}

/** Resources of one addition, which is one expression of at most 4 KB. */
const RESOURCES_PER_ADDITION = 8;

/** Returns what a batch adds, in as many additions as it needs. @param bytes growth of the stored data. */
export function toDeliveredBatches(batch: SampleBatch, batchId: string, bytes: number): DeliveredBatch[] {
  const counts = countRecords(batch);
  const ranges = { ...batchRanges(batch), ...otherRanges(batch) };
  const resources = Object.entries(ranges).map(([name, { start_date: oldest, end_date: newest }]) => {
    const pushed = batch.pushed ? { pushed_newest: newest } : {};
    return [name, { oldest, newest, sent_count: counts[name] ?? 0, ...pushed }] as const;
  });
  const additions = Math.max(1, Math.ceil(resources.length / RESOURCES_PER_ADDITION));
  return Array.from({ length: additions }, (_, place) => ({
    provider: batch.provider,
    batchId: place === 0 ? batchId : `${batchId}.${place}`,
    resources: Object.fromEntries(
      resources.slice(place * RESOURCES_PER_ADDITION, (place + 1) * RESOURCES_PER_ADDITION),
    ),
    bytes: place === 0 ? bytes : 0,
  }));
}
