/**
 * Prints the size and speed of the chunk codec on synthetic streams: `node test/unit/timeseries/chunk/codec-report.ts`. Not a test.
 * Sizes depend on the noise of the streams, so the report compares them with gzipped JSON rows of the same samples.
 */
import { gzipSync } from "node:zlib";
import { decodeChunk, decodeColumns, encodeChunk } from "../../../../lib/domain/timeseries/chunk/codec.ts";
import { mergeChunk } from "../../../../lib/domain/timeseries/chunk/merge-chunk.ts";
import type { Chunk, Run, Sample } from "../../../../lib/domain/timeseries/chunk/sample.ts";
import { bucketStart } from "../../../../lib/domain/timeseries/chunk/time-bucket.ts";
import * as streams from "../../../support/synthetic-streams.ts";

const DAY_MS = 86_400_000;
const ONE_RUN: Run = { receivedAt: 0, batchId: "", verb: "created" };

interface Stream {
  name: string;
  samples: Sample[];
  days: number;
}

const mix: Stream[] = streams.dailyStreamMix();
const apart: Stream[] = [{ name: "glucose mmol/L", days: 30, samples: streams.glucoseStream(30, 18.018) }];

function chunkOf(samples: Sample[]): Chunk {
  return { samples: samples.map((sample) => ({ ...sample, run: 0 })), runs: [ONE_RUN] };
}

function bytesInBuckets(samples: Sample[], widthMs: number): number {
  const buckets = Map.groupBy(samples, (sample) => bucketStart(sample.start, widthMs));
  return buckets.values().reduce((sum, part) => sum + encodeChunk(chunkOf(part)).length, 0);
}

function gzippedRows(samples: Sample[]): number {
  const rows = samples.map(({ start, end, value }) => ({
    timestamp: new Date(start).toISOString(),
    ...(end === undefined ? {} : { end: new Date(end).toISOString() }),
    value,
    timezone_offset: 3_600,
    type: null,
  }));
  return gzipSync(JSON.stringify(rows)).length;
}

/** Bytes per sample: one chunk for the whole stream, chunks of a day, chunks of 30 minutes, gzipped JSON rows. */
function sizesOf({ samples }: Stream): number[] {
  const whole = encodeChunk(chunkOf(samples)).length;
  const sizes = [whole, bytesInBuckets(samples, DAY_MS), bytesInBuckets(samples, DAY_MS / 48), gzippedRows(samples)];
  return sizes.map((size) => size / samples.length);
}

function printSizes(): void {
  console.log("bytes/sample            samples   stream     day  30 min  gzipped JSON rows");
  let total = [0, 0, 0, 0];
  for (const stream of [...mix, ...apart]) {
    const sizes = sizesOf(stream);
    if (mix.includes(stream)) total = total.map((sum, i) => sum + (sizes[i]! * stream.samples.length) / stream.days);
    print(stream.name, stream.samples.length, sizes);
  }
  const perDay = mix.reduce((sum, { samples, days }) => sum + samples.length / days, 0);
  print(
    "mix of one day",
    Math.round(perDay),
    total.map((bytes) => bytes / perDay),
  );
}

function print(name: string, count: number, sizes: number[]): void {
  console.log(name.padEnd(22), String(count).padStart(8), ...sizes.map((size) => size.toFixed(2).padStart(8)));
}

/** Prints 30-minute chunks of heart rate merged from the 5-minute batches of a syncing phone. */
function printRuns(): void {
  const buckets = Map.groupBy(streams.heartRateStream(1), (sample) => bucketStart(sample.start, DAY_MS / 48));
  const total = { samples: 0, bare: 0, runs: 0, resent: 0, compacted: 0 };
  for (const samples of buckets.values()) {
    total.samples += samples.length;
    total.bare += encodeChunk(chunkOf(samples)).length;
    total.runs += encodeChunk(synced(samples, 0)).length;
    total.resent += encodeChunk(synced(samples, 2)).length;
    total.compacted += encodeChunk(synced(samples, 2, Number.POSITIVE_INFINITY)).length;
  }
  const each = (bytes: number) =>
    `${(bytes / buckets.size).toFixed(0)} B, ${(bytes / total.samples).toFixed(2)} B/sample`;
  console.log(`\n30 min of heart rate (${buckets.size} chunks): without runs ${each(total.bare)}`);
  console.log(
    `  6 batches, one run each: ${each(total.runs)} (${((total.runs - total.bare) / buckets.size / 6).toFixed(1)} B a run)`,
  );
  console.log(`  each batch resends 10 minutes: ${each(total.resent)}; after compaction: ${each(total.compacted)}`);
}

function synced(samples: Sample[], resentBatches: number, settledBefore = Number.NEGATIVE_INFINITY): Chunk {
  const random = streams.createSeededRandom(9);
  const start = bucketStart(samples[0]?.start ?? 0, DAY_MS / 48);
  let chunk: Chunk = { samples: [], runs: [] };
  for (let batch = 0; batch < 6; batch++) {
    const from = start + (batch - resentBatches) * 300_000;
    const part = samples.filter((sample) => sample.start >= from && sample.start < start + (batch + 1) * 300_000);
    const receivedAt = start + (batch + 1) * 300_000 + Math.floor(random() * 20_000);
    const batchId = Math.floor(random() * 2 ** 48).toString(36);
    chunk = mergeChunk(chunk, part, { receivedAt, batchId }, { settledBefore }).chunk;
  }
  return chunk;
}

function printSpeed(): void {
  console.log("\nsamples/s, median of 9        encode     columns    objects      merge of 60");
  for (const { name, samples } of [mix[0]!, { name: "30 min of it", samples: mix[0]!.samples.slice(0, 360) }]) {
    const chunk = chunkOf(samples);
    const bytes = encodeChunk(chunk);
    const batch = samples.slice(-60).map((sample) => ({ ...sample, value: 0 }));
    const receipt = { receivedAt: 1, batchId: "a" };
    const speeds = [() => encodeChunk(chunk), () => decodeColumns(bytes), () => decodeChunk(bytes)].map(
      (run) => `${(samples.length / secondsOf(run) / 1e6).toFixed(2)} M`,
    );
    const merge = secondsOf(() => encodeChunk(mergeChunk(decodeChunk(bytes), batch, receipt).chunk));
    console.log(
      name.padEnd(24),
      ...speeds.map((speed) => speed.padStart(10)),
      `${(merge * 1e3).toFixed(2)} ms`.padStart(14),
    );
  }
}

function secondsOf(run: () => unknown): number {
  const rounds = Array.from({ length: 9 }, () => {
    const start = performance.now();
    for (let turn = 0; turn < 5; turn++) run();
    return (performance.now() - start) / 5_000;
  });
  return rounds.sort((a, b) => a - b)[4] ?? 0;
}

printSizes();
printRuns();
printSpeed();
