import type { Chunk, Run, Sample } from "../../../../../lib/domain/timeseries/chunk/sample.ts";

/**
 * The chunks of the golden files. They use integers and square roots only, so every machine builds the same chunks.
 * Never change a chunk: the stored files were written from it. Add a new name instead,
 * then run `node test/unit/timeseries/chunk/golden/write-golden-files.ts`.
 */
export const goldenChunks: Record<string, Chunk> = {
  empty: { samples: [], runs: [] },
  "heart-rate-jittering-clock": chunkOf(300, (n) => ({
    start: 1_740_960_000_000 + n * 5_000 + ((n * n * 7_919) % 997),
    value: 70 + ((n * n) % 23),
    offsetS: n < 200 ? 3_600 : 7_200,
  })),
  "glucose-converted-unit": chunkOf(288, (n) => ({ start: n * 300_000, value: (90 + ((n * n) % 31)) / 18.018 })),
  "sleep-contiguous-intervals": chunkOf(60, (n) => ({
    start: 30_000 * n * n,
    end: 30_000 * (n + 1) * (n + 1),
    value: 1 + ((n * n) % 4),
  })),
  "weight-full-doubles": chunkOf(40, (n) => ({ start: n * n * 1_234_567, value: Math.sqrt(5_000 + n) })),
  "distance-three-decimals": chunkOf(90, (n) => ({
    start: n * 60_000,
    end: n * 60_000 + 59_000,
    value: (n * n) / 1_000,
  })),
  "every-kind-of-sample": {
    samples: [
      { start: -62_135_596_800_000, value: -0, offsetS: -18_000, type: null, run: 0 },
      { start: -1, end: -2, value: 5e-324, offsetS: null, type: "manual", run: 1 },
      { start: 0, value: 1.7976931348623157e308, offsetS: null, type: "manual", run: 1 },
      { start: 5_000, value: 2.6, offsetS: 0, type: null, subtype: "hdl", run: 2 },
      { start: 5_000, value: null, offsetS: 0, type: null, subtype: "ldl", run: 3 },
      { start: 6_000, value: null, offsetS: 0, type: null, fields: { systolic: 120, diastolic: 80.5 }, run: 3 },
      { start: 7_000, value: "", offsetS: 0, type: "", fields: { tags: [], intensity: null }, run: 3 },
      {
        start: 8_000,
        value: "Müsli \u{1f963} \ud800",
        offsetS: 0,
        type: null,
        fields: { tags: ["food", "\udc00"] },
        run: 3,
      },
    ],
    runs: [
      { receivedAt: 1_740_960_000_000, batchId: "", verb: "created" },
      { receivedAt: 1_740_960_000_001, batchId: "b1", verb: "created" },
      { receivedAt: 1_740_960_000_001, batchId: "b2", verb: "updated" },
      {
        receivedAt: 1_740_960_000_001,
        batchId: "b1",
        verb: "created",
        confirmedBy: { receivedAt: 1_740_960_300_000, batchId: "b3" },
      },
    ],
  },
};

function chunkOf(count: number, sampleAt: (n: number) => Partial<Sample> & { start: number }): Chunk {
  const run: Run = { receivedAt: 1_740_960_000_000, batchId: "b1", verb: "created" };
  const samples = Array.from({ length: count }, (_, n) => ({
    value: 0,
    offsetS: null,
    type: null,
    run: 0,
    ...sampleAt(n),
  }));
  return { samples, runs: [run] };
}
