import { gzipSync } from "node:zlib";
import { SEAL_BYTES } from "../../lib/crypto/sealed-bytes.ts";
import { encodeChunk } from "../../lib/domain/chunk/codec.ts";
import type { Sample } from "../../lib/domain/chunk/sample.ts";
import { naiveBytes } from "./naive-store.ts";
import { atLeast, atMost, type Part } from "./row.ts";
import { inBuckets, mix } from "./streams.ts";

/**
 * Item overhead in bytes: key, version and attribute names of a chunk, the encryption, and DynamoDB's 100 bytes per
 * item.
 */
const ITEM_BYTES = 231 + SEAL_BYTES;

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
export function storage(): { part: Part; sizes: StreamSize[] } {
  const streams = mix().map(({ name, days, samples, resource }) => {
    const { bytes, chunks } = chunkBytes(inBuckets(resource, samples));
    const { bytes: inOne } = chunkBytes([samples]);
    const perDay = samples.length / days;
    const gzip = gzipSync(rows(samples)).length / samples.length;
    const chunk = bytes / samples.length;
    const naive = sum(samples.map(naiveBytes)) / samples.length;
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
        atMost("bytes per sample, one person's day, each stream in one chunk", 1.9, whole, naive, " B"),
        atMost(
          "bytes per sample in the chunks that are stored (half hours of heart rate ...)",
          1.9,
          chunk,
          naive,
          " B",
        ),
        atMost("the same with keys and what DynamoDB adds to an item", 3.1, item, naive + 100, " B"),
        atLeast("gzipped JSON rows are larger by", 3.5, gzip / whole, gzip / naive, "x"),
      ],
    },
  };
}
