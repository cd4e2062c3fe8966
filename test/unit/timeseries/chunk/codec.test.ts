// @module-tag share
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { cellAt } from "../../../../lib/domain/timeseries/chunk/chunk-columns.ts";
import { decodeChunk, decodeColumns, encodeChunk } from "../../../../lib/domain/timeseries/chunk/codec.ts";
import type { Chunk, Run, Sample } from "../../../../lib/domain/timeseries/chunk/sample.ts";
import { chooseCount } from "../../../support/depth.ts";
import { dailyStreamMix, glucoseStream, heartRateStream } from "../../../support/synthetic-streams.ts";
import { anyChunk } from "./arbitrary-chunks.ts";

const run: Run = { receivedAt: 0, batchId: "", verb: "created" };

function chunkOf(samples: Sample[]): Chunk {
  return { samples: samples.map((sample) => ({ ...sample, run: 0 })), runs: samples.length > 0 ? [run] : [] };
}

function sampleOf(further: Partial<Sample>): Sample {
  return { start: 0, value: 1, offsetS: null, type: null, ...further };
}

function valuesAfterRoundTrip(values: Sample["value"][]): Sample["value"][] {
  const chunk = chunkOf(values.map((value, start) => sampleOf({ start, value })));
  return decodeChunk(encodeChunk(chunk)).samples.map((sample) => sample.value);
}

describe("chunk codec", () => {
  test("round-trips every chunk exactly, to the same bytes", { tags: "deep" }, () => {
    fc.assert(
      fc.property(anyChunk, (chunk) => {
        const bytes = encodeChunk(chunk);
        const decoded = decodeChunk(bytes);
        expect(decoded).toEqual(chunk);
        expect(encodeChunk(decoded)).toEqual(bytes);
      }),
      { numRuns: chooseCount(200, 1_000) },
    );
  });

  test("round-trips every finite double bit by bit in every column encoding", () => {
    const bits = fc.uint8Array({ minLength: 8, maxLength: 8 }).map((bytes) => new DataView(bytes.buffer).getFloat64(0));
    const column = fc.oneof(
      fc.array(bits.filter(Number.isFinite), { minLength: 1, maxLength: 50 }),
      fc.array(fc.constantFrom(0.1, 0.25, -7, 1e-6, 123_456.789, 2 ** 50, -(2 ** 50)), { minLength: 1, maxLength: 50 }),
      fc.array(fc.constantFrom(100 / 18.018, 101 / 18.018, 0, -0), { minLength: 1, maxLength: 50 }),
    );
    fc.assert(
      fc.property(column, (values) => {
        expect(valuesAfterRoundTrip(values)).toEqual(values);
      }),
      { numRuns: chooseCount(100, 500) },
    );
  });

  test("round-trips long streams, including jittering clocks and converted units", { tags: "deep" }, () => {
    const streams = [...dailyStreamMix().map((stream) => stream.samples), glucoseStream(30, 18.018)];
    for (const samples of streams) expect(decodeChunk(encodeChunk(chunkOf(samples)))).toEqual(chunkOf(samples));
  });

  test("decodes into parallel columns with NaN for missing values", () => {
    const samples = [
      sampleOf({ start: -5, end: 7, offsetS: 3_600, subtype: "ldl", fields: { tags: ["food"] } }),
      sampleOf({ start: 9, value: "note", type: "manual" }),
    ];
    const columns = decodeColumns(encodeChunk(chunkOf(samples)));
    expect(columns).toMatchObject({ count: 2, types: [null, "manual"], subtypes: ["ldl", null], runs: [run] });
    expect([...columns.starts, ...columns.ends, ...columns.offsetsS]).toEqual([
      -5,
      9,
      7,
      Number.NaN,
      3_600,
      Number.NaN,
    ]);
    expect([cellAt(columns.values, 0), cellAt(columns.values, 1)]).toEqual([1, "note"]);
    expect(columns.fields.map(({ name, cells }) => [name, cellAt(cells, 0), cellAt(cells, 1)])).toEqual([
      ["tags", ["food"], undefined],
    ]);
  });

  test("uses at most 1.9 bytes per sample on a mixed day and 2.1 on 30 minutes of heart rate", { tags: "deep" }, () => {
    const streams = dailyStreamMix().map(({ samples, days }) => ({
      bytes: encodeChunk(chunkOf(samples)).length / days,
      samples: samples.length / days,
    }));
    const sum = (of: "bytes" | "samples") => streams.reduce((total, stream) => total + stream[of], 0);
    expect(sum("bytes") / sum("samples")).toBeLessThanOrEqual(1.9);
    expect(encodeChunk(chunkOf(heartRateStream(1).slice(0, 360))).length).toBeLessThanOrEqual(360 * 2.1);
  });

  test("leaves a chunk of one sample uncompressed when deflate would enlarge it", () => {
    expect(encodeChunk(chunkOf([sampleOf({ start: 1_740_960_000_000 })])).length).toBeLessThan(40);
  });

  test.each([
    ["NaN", chunkOf([sampleOf({ value: Number.NaN })])],
    ["infinity in a field", chunkOf([sampleOf({ fields: { systolic: Number.POSITIVE_INFINITY } })])],
    ["a fraction of a millisecond", chunkOf([sampleOf({ start: 0.5 })])],
    ["an end that is NaN", chunkOf([sampleOf({ end: Number.NaN })])],
    ["an instant beyond the range", chunkOf([sampleOf({ start: 2 ** 48 + 1 })])],
    ["a non-integer offset", chunkOf([sampleOf({ offsetS: 0.5 })])],
    ["descending starts", chunkOf([sampleOf({ start: 1 }), sampleOf({ start: 0 })])],
    [
      "descending starts of other subtypes",
      chunkOf([sampleOf({ start: 1, subtype: "hdl" }), sampleOf({ subtype: "ldl" })]),
    ],
    ["a duplicate key", chunkOf([sampleOf({}), sampleOf({ subtype: "" })])],
    ["a run that does not exist", { samples: [{ ...sampleOf({}), run: 1 }], runs: [run] }],
    ["a receipt without an instant", { samples: [], runs: [{ ...run, receivedAt: Number.NaN }] }],
    [
      "more than 32 extra fields",
      chunkOf([sampleOf({ fields: Object.fromEntries([...Array(33).keys()].map((n) => [n, 1])) })]),
    ],
  ])("rejects encoding %s", (_, chunk: Chunk) => {
    expect(() => encodeChunk(chunk)).toThrow(RangeError);
  });
});
