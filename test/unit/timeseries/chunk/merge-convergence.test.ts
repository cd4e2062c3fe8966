// @module-tag share
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decodeChunk, encodeChunk } from "../../../../lib/domain/timeseries/chunk/codec.ts";
import { mergeChunk } from "../../../../lib/domain/timeseries/chunk/merge-chunk.ts";
import { buildChunk, compareReceipts, latestReceipt } from "../../../../lib/domain/timeseries/chunk/runs.ts";
import type { BatchReceipt, Chunk, Sample } from "../../../../lib/domain/timeseries/chunk/sample.ts";
import { compareSampleKeys } from "../../../../lib/domain/timeseries/chunk/sample.ts";
import { chooseCount } from "../../../support/depth.ts";
import type { Batch } from "./arbitrary-chunks.ts";
import { batches } from "./arbitrary-chunks.ts";

const EMPTY: Chunk = { samples: [], runs: [] };
const manyRuns = { numRuns: chooseCount(200, 1_000) };

/** Batches delivered in any order, each at least once. */
const schedules = batches.chain((all) =>
  fc
    .tuple(fc.shuffledSubarray(all, { minLength: all.length }), fc.array(fc.constantFrom(...all), { maxLength: 8 }))
    .map(([once, again]) => ({ all, deliveries: [...once, ...again] })),
);

/** The expected final value of each key: the last one by receive order, computed with a plain Map. */
function oracle(all: Batch[]): Map<string, { sample: Sample; receipt: BatchReceipt }> {
  const latest = new Map<string, { sample: Sample; receipt: BatchReceipt }>();
  for (const { samples, receipt } of all.toSorted((a, b) => compareReceipts(a.receipt, b.receipt))) {
    for (const sample of samples) latest.set(keyOf(sample), { sample, receipt });
  }
  return latest;
}

function keyOf({ start, subtype = "" }: Sample): string {
  return `${start} ${subtype}`;
}

/** The bytes of a chunk without its history: the verb, and the receipt that first brought the value. */
function bytesWithoutHistory({ samples, runs }: Chunk): Uint8Array {
  return encodeChunk(
    buildChunk(samples.map((sample) => ({ sample, run: { ...latestReceipt(runs[sample.run]!), verb: "created" } }))),
  );
}

function expectedBytes(all: Batch[]): Uint8Array {
  const entries = [...oracle(all).values()].sort((a, b) => compareSampleKeys(a.sample, b.sample));
  return encodeChunk(
    buildChunk(entries.map(({ sample, receipt }) => ({ sample, run: { ...receipt, verb: "created" } }))),
  );
}

function announcement(sample: Sample, { batchId }: BatchReceipt): string {
  return `${batchId} set ${keyOf(sample)} to ${sample.value} until ${sample.end}`;
}

function contents(chunk: Chunk): Sample[] {
  return chunk.samples.map(({ run: _, ...sample }) => sample);
}

function expectedContents(all: Batch[]): Sample[] {
  return [...oracle(all).values()].map((entry) => entry.sample).sort(compareSampleKeys);
}

describe("mergeChunk converges", () => {
  test("to the bytes that receive order defines, in any order and with any redelivery", () => {
    fc.assert(
      fc.property(schedules, ({ all, deliveries }) => {
        const chunk = deliveries.reduce(
          (before, batch) => mergeChunk(before, batch.samples, batch.receipt).chunk,
          EMPTY,
        );
        expect(bytesWithoutHistory(chunk)).toEqual(expectedBytes(all));
      }),
      manyRuns,
    );
  });

  test("with two compare-and-swap writers that crash and redeliver, and every final value was published", {
    tags: "deep",
  }, () => {
    fc.assert(
      fc.property(
        batches,
        fc.array(fc.record({ writer: fc.nat(1), crash: fc.boolean() }), { maxLength: 60 }),
        (all, steps) => {
          const run = runTwoWriters(all, steps);
          expect(bytesWithoutHistory(decodeChunk(run.stored))).toEqual(expectedBytes(all));
          const { samples, runs } = decodeChunk(run.stored);
          for (const sample of samples) expect(run.announced).toContain(announcement(sample, runs[sample.run]!));
        },
      ),
      manyRuns,
    );
  });

  test("and reports the first verbs to a redelivered batch for values that still stand", () => {
    fc.assert(
      fc.property(schedules, ({ deliveries }) => {
        const first = new Map<Batch, Map<string, string>>();
        deliveries.reduce((before, batch) => {
          const { chunk, created, updated } = mergeChunk(before, batch.samples, batch.receipt);
          const verbs = new Map([
            ...created.map((s) => [keyOf(s), "created"] as const),
            ...updated.map((s) => [keyOf(s), "updated"] as const),
          ]);
          const atFirst = first.get(batch);
          if (atFirst) {
            for (const [key, verb] of verbs) expect(atFirst.get(key)).toBe(verb);
            for (const { start, subtype, run } of before.samples) {
              const key = keyOf({ start, value: null, offsetS: null, type: null, ...(subtype ? { subtype } : {}) });
              const isItsOwn = compareReceipts(before.runs[run]!, batch.receipt) === 0;
              if (isItsOwn) expect(verbs.get(key)).toBe(atFirst.get(key));
            }
          } else first.set(batch, verbs);
          return chunk;
        }, EMPTY);
      }),
      manyRuns,
    );
  });

  test("with runs compacted once no older batch can arrive", () => {
    const MAX_DELAY_MS = 3;
    const delayed = batches.chain((all) =>
      fc
        .array(fc.nat(MAX_DELAY_MS), { minLength: all.length, maxLength: all.length })
        .map((delays) =>
          all
            .map((batch, index) => ({ batch, arrivesAt: batch.receipt.receivedAt + delays[index]! }))
            .sort((a, b) => a.arrivesAt - b.arrivesAt),
        ),
    );
    fc.assert(
      fc.property(delayed, (arrivals) => {
        const chunk = arrivals.reduce((before, { batch, arrivesAt }) => {
          const settledBefore = arrivesAt - MAX_DELAY_MS;
          return mergeChunk(before, batch.samples, batch.receipt, { settledBefore }).chunk;
        }, EMPTY);
        expect(contents(chunk)).toEqual(expectedContents(arrivals.map(({ batch }) => batch)));
      }),
      manyRuns,
    );
  });

  test("without refreshing unchanged values when batches arrive in receive order", () => {
    fc.assert(
      fc.property(batches, (all) => {
        const ordered = all.toSorted((a, b) => compareReceipts(a.receipt, b.receipt));
        const options = { refreshUnchanged: false };
        const chunk = ordered.reduce(
          (before, { samples, receipt }) => mergeChunk(before, samples, receipt, options).chunk,
          EMPTY,
        );
        expect(contents(chunk)).toEqual(expectedContents(all));
      }),
      manyRuns,
    );
  });
});

interface Step {
  writer: number;
  crash: boolean;
}

/**
 * Two writers consume one queue. Each step is a read, or a write that fails if the other writer wrote since. After a
 * write the writer publishes the changes of the batch, or crashes first: then the batch returns to the queue.
 */
function runTwoWriters(all: Batch[], steps: Step[]): { stored: Uint8Array; announced: string[] } {
  const queue = [...all];
  const announced: string[] = [];
  const reads: ({ batch: Batch; version: number; bytes: Uint8Array } | undefined)[] = [undefined, undefined];
  let version = 0;
  let stored = encodeChunk(EMPTY);
  const take = ({ writer, crash }: Step) => {
    const read = reads[writer];
    if (!read) {
      const batch = queue.shift();
      if (batch) reads[writer] = { batch, version, bytes: stored };
      return;
    }
    const result = mergeChunk(decodeChunk(read.bytes), read.batch.samples, read.batch.receipt);
    if (result.changed && read.version !== version) {
      reads[writer] = { batch: read.batch, version, bytes: stored };
      return;
    }
    if (result.changed) [stored, version] = [encodeChunk(result.chunk), version + 1];
    reads[writer] = undefined;
    if (crash) queue.push(read.batch);
    else
      for (const sample of [...result.created, ...result.updated])
        announced.push(announcement(sample, read.batch.receipt));
  };
  for (const step of steps) take(step);
  while (queue.length > 0 || reads.some(Boolean)) for (const writer of [0, 1]) take({ writer, crash: false });
  return { stored, announced };
}
