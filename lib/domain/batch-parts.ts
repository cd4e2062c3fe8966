import type { SampleBatch } from "./batch.ts";
import { bucketStart } from "./chunk/bucket.ts";
import { findResource } from "./timeseries/resources.ts";

/** Maximum number of chunks and summaries that one message of the ingestion queue writes. */
export const MOST_PART_ITEMS = 200;

/** One item to write, with the records of the batch that it is written from. */
interface Piece {
  readonly list: "samples" | "summaries";
  readonly name: string;
  readonly records: readonly unknown[];
}

/** Number of items that storing a batch writes: chunks by time bucket, summaries and streams. */
export const itemsOf = (batch: SampleBatch): number =>
  piecesOf(batch).length + Object.values(batch.streams).reduce((sum, { length }) => sum + length, 0);

/**
 * Splits a batch deterministically into parts to store one after the other. Returns no parts for a batch that fits in
 * one. Streams are left for the end, because they look up their workouts.
 */
export function partsOf(batch: SampleBatch, most = MOST_PART_ITEMS): SampleBatch[] {
  const pieces = piecesOf(batch);
  if (pieces.length <= most) return [];
  const count = Math.ceil(pieces.length / most);
  return Array.from({ length: count }, (_, at) => partWith(batch, pieces.slice(at * most, (at + 1) * most)));
}

function piecesOf({ samples, summaries }: SampleBatch): Piece[] {
  const chunks = Object.entries(samples).flatMap(([name, own]) => {
    const resource = findResource(name);
    if (!resource) return [];
    const buckets = Map.groupBy(own, ({ start }) => bucketStart(start, resource.bucketMs)).values();
    return [...buckets].map((records): Piece => ({ list: "samples", name, records }));
  });
  const others = Object.entries(summaries).flatMap(([name, own]) =>
    [...Map.groupBy(own, ({ key }) => key).values()].map((records): Piece => ({ list: "summaries", name, records })),
  );
  return [...chunks, ...others];
}

function partWith(batch: SampleBatch, pieces: readonly Piece[]): SampleBatch {
  const of = (list: Piece["list"]) => {
    const byName = Map.groupBy(
      pieces.filter((piece) => piece.list === list),
      ({ name }) => name,
    );
    return Object.fromEntries([...byName].map(([name, own]) => [name, own.flatMap(({ records }) => records)]));
  };
  const samples = of("samples") as SampleBatch["samples"];
  return { ...batch, samples, summaries: of("summaries") as SampleBatch["summaries"], streams: {} };
}
