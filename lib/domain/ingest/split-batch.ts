import { bucketStart } from "../timeseries/chunk/time-bucket.ts";
import { findResource } from "../timeseries/resources.ts";
import type { SampleBatch } from "./batch.ts";

/** Maximum number of chunks and summaries that one message of the ingestion queue writes. */
export const MAX_ITEMS_PER_PART = 200;

/** One item to write, with the records of the batch that it is written from. */
interface BatchItem {
  readonly list: "samples" | "summaries";
  readonly name: string;
  readonly records: readonly unknown[];
}

/** Number of items that storing a batch writes: chunks by time bucket, summaries and streams. */
export const countItems = (batch: SampleBatch): number =>
  listItems(batch).length + Object.values(batch.streams).reduce((sum, { length }) => sum + length, 0);

/**
 * Splits a batch deterministically into parts to store one after the other. Returns no parts for a batch that fits in
 * one. Streams are left for the end, because they look up their workouts.
 */
export function splitBatch(batch: SampleBatch, most = MAX_ITEMS_PER_PART): SampleBatch[] {
  const pieces = listItems(batch);
  if (pieces.length <= most) return [];
  const count = Math.ceil(pieces.length / most);
  return Array.from({ length: count }, (_, at) => toPart(batch, pieces.slice(at * most, (at + 1) * most)));
}

function listItems({ samples, summaries }: SampleBatch): BatchItem[] {
  const chunks = Object.entries(samples).flatMap(([name, own]) => {
    const resource = findResource(name);
    if (!resource) return [];
    const buckets = Map.groupBy(own, ({ start }) => bucketStart(start, resource.bucketMs)).values();
    return [...buckets].map((records): BatchItem => ({ list: "samples", name, records }));
  });
  const others = Object.entries(summaries).flatMap(([name, own]) =>
    [...Map.groupBy(own, ({ key }) => key).values()].map(
      (records): BatchItem => ({ list: "summaries", name, records }),
    ),
  );
  return [...chunks, ...others];
}

function toPart(batch: SampleBatch, pieces: readonly BatchItem[]): SampleBatch {
  const of = (list: BatchItem["list"]) => {
    const byName = Map.groupBy(
      pieces.filter((piece) => piece.list === list),
      ({ name }) => name,
    );
    return Object.fromEntries([...byName].map(([name, own]) => [name, own.flatMap(({ records }) => records)]));
  };
  const samples = of("samples") as SampleBatch["samples"];
  return { ...batch, samples, summaries: of("summaries") as SampleBatch["summaries"], streams: {} };
}
