import fc from "fast-check";
import { expect, test } from "vitest";
import type { SampleBatch } from "../../../lib/domain/ingest/batch.ts";
import { countItems, splitBatch } from "../../../lib/domain/ingest/split-batch.ts";
import type { Sample } from "../../../lib/domain/timeseries/chunk/sample.ts";

const HALF_HOUR_MS = 30 * 60_000;
const sample = (start: number) => ({ start, end: start, value: 60, offset: 0 }) as unknown as Sample;

const batchOf = (starts: readonly number[]): SampleBatch => ({
  provider: "oura",
  source_type: "ring",
  device_id: null,
  app_id: null,
  stage: "daily",
  is_final: true,
  samples: { heartrate: starts.map(sample) },
  summaries: {},
  streams: {},
});

test("parts contain every sample once, stay within the bucket limit, and are deterministic", () => {
  const starts = fc.uniqueArray(fc.nat({ max: 100 * HALF_HOUR_MS }), { minLength: 1, maxLength: 200 });
  fc.assert(
    fc.property(starts, fc.integer({ min: 1, max: 50 }), (some, most) => {
      const batch = batchOf(some);
      const parts = splitBatch(batch, most);
      expect(parts).toEqual(splitBatch(batch, most));
      if (parts.length === 0) {
        expect(countItems(batch)).toBeLessThanOrEqual(most);
        return;
      }
      for (const part of parts) expect(countItems(part)).toBeLessThanOrEqual(most);
      const all = parts.flatMap(({ samples }) => samples.heartrate ?? []);
      expect(all.map(({ start }) => start).toSorted()).toEqual(some.toSorted());
    }),
  );
});

test("a dense batch is one part: ten thousand samples of a day fill 48 chunks", () => {
  const dense = batchOf(Array.from({ length: 10_000 }, (_, at) => at * 8_000));
  expect(countItems(dense)).toBeLessThanOrEqual(48);
  expect(splitBatch(dense)).toEqual([]);
});
