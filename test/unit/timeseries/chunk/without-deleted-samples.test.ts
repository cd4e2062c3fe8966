import fc from "fast-check";
import { expect, test } from "vitest";
import { chunkToColumns, columnsToChunk } from "../../../../lib/domain/timeseries/chunk/chunk-columns.ts";
import { mergeChunk } from "../../../../lib/domain/timeseries/chunk/merge-chunk.ts";
import type { Sample } from "../../../../lib/domain/timeseries/chunk/sample.ts";
import { withoutDeletedSamples } from "../../../../lib/domain/timeseries/chunk/without-deleted-samples.ts";
import { anyChunk } from "./arbitrary-chunks.ts";

test("withoutDeletedSamples returns all samples of a chunk except deleted ones", () => {
  fc.assert(
    fc.property(anyChunk, (chunk) => {
      const { samples } = columnsToChunk(withoutDeletedSamples(chunkToColumns(chunk)));
      expect(samples).toEqual(chunk.samples.filter(({ isDeleted }) => !isDeleted));
    }),
  );
});

test("a deleted sample stays deleted against an older batch and counts as created in a newer batch", () => {
  const sample: Sample = { start: 0, value: 60, offsetS: null, type: null };
  const deletion: Sample = { ...sample, value: null, isDeleted: true };
  const { chunk } = mergeChunk(undefined, [deletion], { receivedAt: 2, batchId: "b" });
  const late = mergeChunk(chunk, [sample], { receivedAt: 1, batchId: "a" });
  expect([late.superseded, late.changed]).toEqual([[sample], false]);
  const again = mergeChunk(chunk, [sample], { receivedAt: 3, batchId: "c" });
  expect([again.created, again.chunk.samples]).toEqual([[sample], [{ ...sample, run: 0 }]]);
});
