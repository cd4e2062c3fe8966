import { describe, expect, test } from "vitest";
import { mergeChunk } from "../../../../lib/domain/timeseries/chunk/merge-chunk.ts";
import type { BatchReceipt, Chunk, Sample } from "../../../../lib/domain/timeseries/chunk/sample.ts";

const [R1, R2, R3] = [1, 2, 3].map((at) => ({ receivedAt: at * 1_000, batchId: `b${at}` })) as [
  BatchReceipt,
  BatchReceipt,
  BatchReceipt,
];

const sampleOf = (value: number | null, further: Partial<Sample> = {}): Sample => ({
  start: 0,
  value,
  offsetS: null,
  type: null,
  ...further,
});
const deleted = sampleOf(null, { isDeleted: true });
const merged = (before: Chunk | undefined, sample: Sample, receipt: BatchReceipt): Chunk =>
  mergeChunk(before, [sample], receipt).chunk;
const five = merged(undefined, sampleOf(5), R1);
/** R3 confirmed the value of R1. */
const confirmed = merged(five, sampleOf(5), R3);

test("merging no samples into no chunk gives an empty chunk", () => {
  expect(mergeChunk(undefined, [], R1)).toEqual({
    ...{ chunk: { samples: [], runs: [] }, changed: false },
    ...{ created: [], updated: [], unchanged: [], superseded: [] },
    ...{ replaced: [], displaced: [], late: [] },
  });
});

describe("the displaced values of a merge", () => {
  const displacedBy = (before: Chunk | undefined, sample: Sample, receipt: BatchReceipt) =>
    mergeChunk(before, [sample], receipt).displaced.map(({ sample: { value }, run }) => ({ value, run }));
  const runOfR1 = { ...R1, verb: "created" };

  test("contain a replaced value with its receipt", () => {
    expect(displacedBy(five, sampleOf(6), R2)).toEqual([{ value: 5, run: runOfR1 }]);
  });

  test("contain the earlier confirmation of a value that is confirmed again", () => {
    const again = { receivedAt: 4_000, batchId: "b4" };
    expect(displacedBy(confirmed, sampleOf(5), again)).toEqual([{ value: 5, run: { ...runOfR1, confirmedBy: R3 } }]);
  });

  test.each([
    ["a first value", undefined, sampleOf(5), R1],
    ["a first confirmation", five, sampleOf(5), R2],
    ["another key", five, sampleOf(6, { start: 1 }), R2],
    ["a late batch", confirmed, sampleOf(6), R2],
    ["a redelivered batch", confirmed, sampleOf(5), R3],
  ])("are empty for %s", (_, before, sample, receipt) => expect(displacedBy(before, sample, receipt)).toEqual([]));
});

describe("a late sample", () => {
  test("is reported with its own receipt, apart from the other samples of the batch", () => {
    const late = sampleOf(6);
    const result = mergeChunk(confirmed, [late, sampleOf(7, { start: 1 })], R2);
    expect(result.late).toEqual([{ sample: late, run: { ...R2, verb: "created" } }]);
    expect(mergeChunk(undefined, [late], R2).late).toEqual([]);
  });

  test("is superseded even when the later value is the same", () => {
    const result = mergeChunk(confirmed, [sampleOf(5)], R2);
    expect(result).toMatchObject({ superseded: [sampleOf(5)], unchanged: [], changed: false });
    expect(result.late).toHaveLength(1);
  });
});

describe("a deleted sample", () => {
  const gone = merged(five, deleted, R2);

  test("counts as created when it arrives with a value again", () => {
    const result = mergeChunk(gone, [sampleOf(5)], R3);
    expect(result).toMatchObject({ created: [sampleOf(5)], updated: [], changed: true });
    expect(result.chunk).toEqual({ samples: [{ ...sampleOf(5), run: 0 }], runs: [{ ...R3, verb: "created" }] });
  });

  test("is unchanged when it is deleted again", () => {
    expect(mergeChunk(gone, [deleted], R3)).toMatchObject({ created: [], unchanged: [deleted] });
  });
});
