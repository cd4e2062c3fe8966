import { describe, expect, test } from "vitest";
import type { MergeOptions } from "../../../../lib/domain/timeseries/chunk/merge-chunk.ts";
import { mergeChunk } from "../../../../lib/domain/timeseries/chunk/merge-chunk.ts";
import { compactRuns, latestReceipt } from "../../../../lib/domain/timeseries/chunk/runs.ts";
import type { BatchReceipt, Chunk, Sample } from "../../../../lib/domain/timeseries/chunk/sample.ts";

const R1: BatchReceipt = { receivedAt: 1_000, batchId: "b1" };
const R2: BatchReceipt = { receivedAt: 2_000, batchId: "b2" };
const R3: BatchReceipt = { receivedAt: 3_000, batchId: "b3" };

function sampleOf(value: Sample["value"], further: Partial<Sample> = {}): Sample {
  return { start: 0, value, offsetS: null, type: null, ...further };
}

function merged(chunk: Chunk | undefined, samples: Sample[], receipt: BatchReceipt, options?: MergeOptions): Chunk {
  return mergeChunk(chunk, samples, receipt, options).chunk;
}

function values(chunk: Chunk): Sample["value"][] {
  return chunk.samples.map((sample) => sample.value);
}

describe("mergeChunk", () => {
  test("distinguishes new keys, changed values, equal values and late values", () => {
    const chunk = merged(
      merged(undefined, [sampleOf(1, { start: 1 }), sampleOf(2, { start: 2 })], R1),
      [sampleOf(4, { start: 4 })],
      R3,
    );
    const batch = [
      sampleOf(1, { start: 1 }),
      sampleOf(9, { start: 2 }),
      sampleOf(3, { start: 3 }),
      sampleOf(9, { start: 4 }),
    ];
    const result = mergeChunk(chunk, batch, R2);
    const starts = (samples: Sample[]) => samples.map((sample) => sample.start);
    expect(starts(result.unchanged)).toEqual([1]);
    expect(starts(result.updated)).toEqual([2]);
    expect(starts(result.created)).toEqual([3]);
    expect(starts(result.superseded)).toEqual([4]);
    expect(result.changed).toBe(true);
    expect(values(result.chunk)).toEqual([1, 9, 3, 4]);
    expect(result.replaced).toEqual([{ ...sampleOf(2, { start: 2 }), run: 0 }]);
  });

  test("overwrites an interval that has a new end and keeps another subtype beside it", () => {
    const chunk = merged(undefined, [sampleOf(1, { end: 10, subtype: "ldl" })], R1);
    const result = mergeChunk(chunk, [sampleOf(1, { end: 20, subtype: "ldl" }), sampleOf(1, { subtype: "hdl" })], R2);
    expect(result.chunk.samples.map(({ subtype, end }) => [subtype, end])).toEqual([
      ["hdl", undefined],
      ["ldl", 20],
    ]);
    expect([result.created.length, result.updated.length]).toEqual([1, 1]);
  });

  test("uses the last value of a key repeated in a batch and treats an empty subtype as none", () => {
    const result = mergeChunk(undefined, [sampleOf(1), sampleOf(2, { subtype: "" }), sampleOf(3, { fields: {} })], R1);
    expect(result.chunk.samples).toEqual([{ ...sampleOf(3), run: 0 }]);
    expect(result.created).toEqual([sampleOf(3)]);
  });

  test.each([
    ["value", { value: -0 }],
    ["end", { end: 5 }],
    ["timezone offset", { offsetS: 0 }],
    ["type", { type: "manual" }],
    ["field", { fields: { tags: ["food", "exercise"] } }],
    ["name of a field", { fields: { label: ["food"] } }],
  ])("reports a different %s as an update", (_, further: Partial<Sample>) => {
    const chunk = merged(undefined, [sampleOf(0, { fields: { tags: ["food"] } })], R1);
    const same = mergeChunk(chunk, [sampleOf(0, { fields: { tags: ["food"] } })], R2);
    const different = mergeChunk(chunk, [sampleOf(0, { fields: { tags: ["food"] }, ...further })], R2);
    expect([same.unchanged.length, different.updated.length]).toEqual([1, 1]);
  });

  test("orders receipts of the same millisecond by batch id", () => {
    const sibling = { ...R1, batchId: "b0" };
    expect(values(merged(merged(undefined, [sampleOf(1)], R1), [sampleOf(0)], sibling))).toEqual([1]);
    expect(values(merged(merged(undefined, [sampleOf(0)], sibling), [sampleOf(1)], R1))).toEqual([1]);
  });
});

describe("a repeated value", () => {
  const confirmed = (refreshUnchanged: boolean) =>
    mergeChunk(merged(undefined, [sampleOf(5)], R1), [sampleOf(5)], R3, { refreshUnchanged });

  test("wins against a batch received between its two receipts, because the chunk stores the newer receipt", () => {
    const late = mergeChunk(confirmed(true).chunk, [sampleOf(6)], R2);
    expect(confirmed(true).changed).toBe(true);
    expect([values(late.chunk), late.changed]).toEqual([[5], false]);
  });

  test("needs no write when the caller knows that no older batch is pending", () => {
    const result = confirmed(false);
    expect([result.changed, result.unchanged.length]).toEqual([false, 1]);
    expect(values(merged(result.chunk, [sampleOf(6)], R2))).toEqual([6]);
  });
});

describe("a batch that is merged again", () => {
  test("reports what it created and updated, not what it replaced, and writes nothing", () => {
    const before = merged(undefined, [sampleOf(1, { start: 1 })], R1);
    const batch = [sampleOf(2, { start: 1 }), sampleOf(3, { start: 2 })];
    const first = mergeChunk(before, batch, R2);
    expect(mergeChunk(first.chunk, batch, R2)).toEqual({ ...first, replaced: [], displaced: [], changed: false });
  });

  test("still reports a value that a later batch confirmed, and the later batch does not", () => {
    const chunk = merged(merged(undefined, [sampleOf(5)], R1), [sampleOf(5)], R3);
    expect(mergeChunk(chunk, [sampleOf(5)], R1)).toMatchObject({ created: [sampleOf(5)], changed: false });
    expect(mergeChunk(chunk, [sampleOf(5)], R3)).toMatchObject({
      created: [],
      unchanged: [sampleOf(5)],
      changed: false,
    });
  });

  test("reports its values that were replaced meanwhile as superseded", () => {
    const chunk = merged(merged(undefined, [sampleOf(5)], R1), [sampleOf(6)], R2);
    expect(mergeChunk(chunk, [sampleOf(5)], R1)).toMatchObject({
      created: [],
      superseded: [sampleOf(5)],
      changed: false,
    });
  });
});

describe("compaction of runs", () => {
  const three = [R1, R2, R3].reduce<Chunk | undefined>(
    (chunk, receipt, index) => merged(chunk, [sampleOf(index, { start: index })], receipt),
    undefined,
  );

  test("keeps one run for everything received before the instant", () => {
    expect(compactRuns(three!, R3.receivedAt).runs).toEqual([
      { receivedAt: R2.receivedAt, batchId: "", verb: "created" },
      { ...R3, verb: "created" },
    ]);
    expect(compactRuns(three!, R1.receivedAt)).toBe(three);
  });

  test("keeps a newer confirmation of an old value", () => {
    const confirmed = merged(three, [sampleOf(0)], { receivedAt: 4_000, batchId: "b4" });
    const compacted = compactRuns(confirmed, 3_500);
    expect(compacted.runs.map((run) => latestReceipt(run).batchId)).toEqual(["", "b4"]);
    expect(mergeChunk(compacted, [sampleOf(0)], { receivedAt: 4_000, batchId: "b4" }).unchanged.length).toBe(1);
  });

  test("happens only on a write, and never to the batch being merged", () => {
    const settledBefore = Number.POSITIVE_INFINITY;
    expect(mergeChunk(three, [sampleOf(2, { start: 2 })], R3, { settledBefore }).chunk).toBe(three);
    const late = merged(three, [sampleOf(9, { start: 9 })], { receivedAt: 2_500, batchId: "b9" }, { settledBefore });
    expect(late.runs.map((run) => run.batchId)).toEqual(["", "b9", "b3"]);
  });
});
