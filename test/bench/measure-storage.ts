import { gzipSync } from "node:zlib";
import { ENCRYPTION_OVERHEAD_BYTES } from "../../lib/crypto/encrypted-bytes.ts";
import { encodeChunk } from "../../lib/domain/timeseries/chunk/codec.ts";
import type { Sample } from "../../lib/domain/timeseries/chunk/sample.ts";
import { type BenchPart, rowAtLeast, rowUpTo } from "./bench-row.ts";
import { dailyStreams, groupByBucket } from "./bench-streams.ts";
import { naiveItemBytes } from "./naive-store.ts";

/**
 * Item overhead in bytes: key, version and attribute names of a chunk, the encryption, and DynamoDB's 100 bytes per
 * item.
 */
const ITEM_BYTES = 231 + ENCRYPTION_OVERHEAD_BYTES;

/** Bytes per sample of one stream. */
export interface StreamSize {
  readonly name: string;
  readonly perDay: number;
  readonly chunk: number;
  readonly naive: number;
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

function chunkBytes(buckets: readonly (readonly Sample[])[]): { bytes: number; chunks: number } {
  const run = { receivedAt: Date.UTC(2026, 0, 1), batchId: "00000000", verb: "created" as const };
  const sizes = buckets.map(
    (bucket) => encodeChunk({ samples: bucket.map((sample) => ({ ...sample, run: 0 })), runs: [run] }).length,
  );
  return { bytes: sum(sizes), chunks: sizes.length };
}

const rows = (samples: readonly Sample[]) =>
  JSON.stringify(samples.map(({ start, end, value }) => ({ timestamp: new Date(start).toISOString(), end, value })));

/** Measures the bytes at rest of one person's day, in the chunks that the service stores. */
export function measureStorage(): { part: BenchPart; sizes: StreamSize[] } {
  const streams = dailyStreams().map(({ name, days, samples, resource }) => {
    const { bytes, chunks } = chunkBytes(groupByBucket(resource, samples));
    const { bytes: inOne } = chunkBytes([samples]);
    const perDay = samples.length / days;
    const gzip = gzipSync(rows(samples)).length / samples.length;
    const chunk = bytes / samples.length;
    const naive = sum(samples.map(naiveItemBytes)) / samples.length;
    const item = chunk + (chunks * ITEM_BYTES) / samples.length;
    return { name, perDay, chunk, naive, gzip, item, whole: inOne / samples.length };
  });
  const perDay = sum(streams.map((stream) => stream.perDay));
  const mean = (of: (stream: (typeof streams)[number]) => number) =>
    sum(streams.map((stream) => of(stream) * stream.perDay)) / perDay;
  const [chunk, naive, gzip] = [mean((s) => s.chunk), mean((s) => s.naive), mean((s) => s.gzip)];
  const [item, whole] = [mean((s) => s.item), mean((s) => s.whole)];
  return {
    sizes: streams,
    part: {
      title: "At rest",
      rows: [
        rowUpTo("bytes per sample, one person's day, each stream in one chunk", 1.9, whole, naive, " B"),
        rowUpTo(
          "bytes per sample in the chunks that are stored (half hours of heart rate ...)",
          1.9,
          chunk,
          naive,
          " B",
        ),
        rowUpTo("the same with keys and what DynamoDB adds to an item", 3.1, item, naive + 100, " B"),
        rowAtLeast("gzipped JSON rows are larger by", 3.5, gzip / whole, gzip / naive, "x"),
      ],
    },
  };
}
