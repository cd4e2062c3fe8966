import fc from "fast-check";
import { parquetMetadata, parquetReadObjects } from "hyparquet";
import { describe, expect, test } from "vitest";
import { exportColumns } from "../../../lib/domain/exports/export-columns.ts";
import { chunkToColumns } from "../../../lib/domain/timeseries/chunk/chunk-columns.ts";
import { buildChunk } from "../../../lib/domain/timeseries/chunk/runs.ts";
import type { Sample } from "../../../lib/domain/timeseries/chunk/sample.ts";
import type { SampleSlice } from "../../../lib/domain/timeseries/chunk/sample-slice.ts";
import { getResource, type ResourceName } from "../../../lib/domain/timeseries/resources.ts";
import { encodeSamplesParquet } from "../../../lib/services/exports/parquet-file.ts";

const receipt = { receivedAt: 0, batchId: "b" };
const START = Date.UTC(2026, 4, 1, 8);
const base = { start: START, value: 1, offsetS: null, type: null };

/** Samples in the form of a store read. */
function sliceOf(samples: readonly Sample[], source: Partial<SampleSlice> = {}): SampleSlice {
  const run = { ...receipt, verb: "created" as const };
  const columns = chunkToColumns(buildChunk(samples.map((sample) => ({ sample, run }))));
  const recorder = { deviceId: null, appId: null };
  return { provider: "oura", sourceType: "ring", ...recorder, columns, from: 0, to: columns.count, ...source };
}

async function fileOf(name: ResourceName, slices: readonly SampleSlice[]): Promise<ArrayBuffer> {
  const given = async function* () {
    yield* slices;
  };
  const parts = await Array.fromAsync(encodeSamplesParquet(exportColumns(getResource(name)), given()));
  const bytes = Buffer.concat(parts);
  return bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length);
}

/** The rows of a file. The Parquet reader returns undefined for a null list. */
async function rowsOf(name: ResourceName, slices: readonly SampleSlice[]) {
  const rows = await parquetReadObjects({ file: await fileOf(name, slices) });
  return rows.map((read) => ({ ...read, ...("tags" in read ? { tags: read.tags ?? null } : {}) }) as typeof read);
}

/** The expected row of a sample. */
const row = (sample: Sample, unit: string, fields: object) => ({
  start: new Date(sample.start),
  end: new Date(sample.end ?? sample.start),
  unit,
  type: sample.type,
  subtype: sample.subtype ?? null,
  timezone_offset: sample.offsetS,
  provider: "oura",
  source_type: "ring",
  device_id: null,
  app_id: null,
  ...fields,
});

const times = fc.record({
  start: fc.integer({ min: Date.UTC(1900, 0, 1), max: Date.UTC(2100, 0, 1) }),
  end: fc.integer({ min: Date.UTC(1900, 0, 1), max: Date.UTC(2100, 0, 1) }),
});
const labels = fc.record({
  offsetS: fc.oneof(fc.constantFrom(null, 0), fc.integer({ min: -86_399, max: 86_399 })),
  type: fc.option(fc.string({ unit: "grapheme", maxLength: 5 })),
});
const sorted = (samples: Sample[]) => samples.sort((a, b) => a.start - b.start);
const distinct = { minLength: 0, maxLength: 60, selector: ({ start }: Sample) => start };

describe("samples in a Parquet file", () => {
  test("round-trip value by value: any double, any text, nulls, intervals", { tags: "deep" }, async () => {
    const numbers = fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.constantFrom(0.1, 61, null));
    const texts = fc.string({ unit: "binary", maxLength: 20 }).map((text) => text.toWellFormed());
    for (const [name, unit, values] of [
      ["heartrate", "bpm", numbers],
      ["note", "text", texts],
    ] as const) {
      const sample = fc
        .tuple(times, labels, values)
        .map(([time, label, value]): Sample => ({ ...time, ...label, value }));
      await fc.assert(
        fc.asyncProperty(fc.uniqueArray(sample, distinct).map(sorted), async (samples) => {
          const expected = samples.map((one) =>
            row(one, unit, { value: one.value, ...(name === "note" ? { tags: null } : {}) }),
          );
          expect(await rowsOf(name, [sliceOf(samples)])).toEqual(expected);
        }),
        { numRuns: 20 },
      );
    }
  });

  test("name the device and the app of each slice", async () => {
    const recorders = [
      { deviceId: "watch-1", appId: null },
      { deviceId: null, appId: "com.example" },
      { deviceId: "watch-1", appId: "com.example" },
      {},
    ];
    const rows = await rowsOf(
      "heartrate",
      recorders.map((recorder) => sliceOf([base], recorder)),
    );
    expect(rows.map(({ device_id, app_id }) => [device_id, app_id])).toEqual([
      ["watch-1", null],
      [null, "com.example"],
      ["watch-1", "com.example"],
      [null, null],
    ]);
  });

  test("keep the tags of notes as lists and distinguish empty from null", async () => {
    const tags = [["food", "exercise"], [], undefined, ["unspecified"]];
    const samples = tags.map((given, index): Sample => {
      return { ...base, start: START + index, value: "lunch", ...(given ? { fields: { tags: given } } : {}) };
    });
    const rows = await rowsOf("note", [sliceOf(samples)]);
    expect(rows.map((read) => read.tags)).toEqual([["food", "exercise"], [], null, ["unspecified"]]);
  });

  test("of blood pressure have a column per measure and no value column", async () => {
    const sample: Sample = { ...base, value: null, fields: { systolic: 121.5, diastolic: 79 } };
    const [read] = await rowsOf("blood_pressure", [sliceOf([sample])]);
    expect(read).toEqual(row(sample, "mmHg", { systolic: 121.5, diastolic: 79 }));
  });

  test("have null in absent extra fields", async () => {
    const given: Sample = { ...base, fields: { delivery_mode: "bolus", bolus_purpose: "meal" }, type: "rapid_acting" };
    const rows = await rowsOf("insulin_injection", [sliceOf([given, { ...base, start: START + 1 }])]);
    expect(rows.map(({ delivery_mode, delivery_form }) => [delivery_mode, delivery_form])).toEqual([
      ["bolus", null],
      [null, null],
    ]);
  });

  test("of several types at one instant are distinguished by their subtype", async () => {
    const samples = ["hdl", "ldl"].map((subtype): Sample => ({ ...base, subtype }));
    expect((await rowsOf("cholesterol", [sliceOf(samples)])).map(({ subtype }) => subtype)).toEqual(["hdl", "ldl"]);
  });

  test("cover only the read range, each with its own source", async () => {
    const samples = [0, 1, 2, 3].map((index): Sample => ({ ...base, start: START + index, value: index }));
    const slices = [
      sliceOf(samples, { from: 1, to: 3 }),
      sliceOf(samples, { provider: "polar", sourceType: "watch", to: 1 }),
    ];
    const rows = await rowsOf("heartrate", slices);
    expect(rows.map((read) => [read.value, read.provider, read.source_type])).toEqual([
      [1, "oura", "ring"],
      [2, "oura", "ring"],
      [0, "polar", "watch"],
    ]);
  });

  test("become row groups, so that at most one is in memory", { tags: "deep" }, async () => {
    const groupsOf = (file: ArrayBuffer) => parquetMetadata(file).row_groups.map(({ num_rows }) => Number(num_rows));
    const samples = Array.from({ length: 20_000 }, (_, index): Sample => ({ ...base, start: START + index }));
    const short = await fileOf("heartrate", [...Array(6).fill(sliceOf(samples))]);
    expect(groupsOf(short)).toEqual([60_000, 60_000]);
    const notes = (from: number) =>
      Array.from({ length: 1_000 }, (_, index): Sample => {
        return { ...base, start: from + index, value: String(from + index).padEnd(4_000) };
      });
    const long = await fileOf(
      "note",
      [0, 1_000, 2_000, 3_000].map((from) => sliceOf(notes(from))),
    );
    expect(groupsOf(long)).toEqual([2_000, 2_000]);
    const rows = await parquetReadObjects({ file: long });
    expect(rows.map(({ start, value }) => [start.getTime(), Number(value)])).toEqual(
      Array.from({ length: 4_000 }, (_, index) => [index, index]),
    );
  });

  test("have instants in UTC", async () => {
    const { schema } = parquetMetadata(await fileOf("heartrate", [sliceOf([base])]));
    expect(schema.find(({ name }) => name === "start")).toMatchObject({
      type: "INT64",
      converted_type: "TIMESTAMP_MILLIS",
      logical_type: { type: "TIMESTAMP", isAdjustedToUTC: true, unit: "MILLIS" },
    });
  });
});
