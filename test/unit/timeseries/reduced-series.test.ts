import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { chunkToColumns } from "../../../lib/domain/timeseries/chunk/chunk-columns.ts";
import type { SampleSlice } from "../../../lib/domain/timeseries/chunk/sample-slice.ts";
import { isPlottable, ReducedSeries } from "../../../lib/domain/timeseries/reduced-series.ts";
import { getResource, timeseriesResources } from "../../../lib/domain/timeseries/resources.ts";

const START_MS = Date.UTC(2026, 4, 1);
const DAY_MS = 86_400_000;

/** A value with its place, as the test knows it. */
interface Known {
  readonly device: string | null;
  readonly type: string | null;
  readonly at: number;
  readonly value: number | null;
}

const known = (lengthMs: number) =>
  fc.record({
    device: fc.constantFrom(null, "a", "b"),
    type: fc.constantFrom(null, "ldl", "hdl"),
    at: fc.integer({ min: START_MS, max: START_MS + lengthMs - 1 }),
    value: fc.option(fc.double({ min: -1_000, max: 1_000, noNaN: true }), { freq: 20 }),
  });

/** Slices of chunks as the store yields them: of one device each, with samples in order of time. */
function toSlices(samples: readonly Known[], chunkMs: number): SampleSlice[] {
  const chunks = Map.groupBy(samples, ({ device, at }) => `${Math.floor(at / chunkMs)} ${device}`);
  return [...chunks.values()].map((ofChunk) => {
    const inOrder = ofChunk.toSorted((one, other) => one.at - other.at);
    const stored = inOrder.map(({ at, value, type }) => ({
      ...{ start: at, value, offsetS: null, type: null, run: 0 },
      ...(type === null ? {} : { subtype: type }),
    }));
    const columns = chunkToColumns({ samples: stored, runs: [] });
    const deviceId = ofChunk[0]?.device ?? null;
    return { provider: "oura", sourceType: "ring", deviceId, appId: null, columns, from: 0, to: stored.length };
  });
}

/** Reduces by the definition: for each layer and interval, the values whose time lies in it. */
function reduceNaively(samples: readonly Known[], lengthMs: number, points: number): Map<string, number[][]> {
  const widthMs = Math.ceil(lengthMs / points);
  const reduced = new Map<string, number[][]>();
  const layers = new Set(samples.filter(({ value }) => value !== null).map(({ device, type }) => `${device} ${type}`));
  for (const layer of layers) {
    const own = samples.filter(({ device, type, value }) => `${device} ${type}` === layer && value !== null);
    const found: number[][] = [];
    for (let from = START_MS; from < START_MS + lengthMs; from += widthMs) {
      const inside = own.filter(({ at }) => at >= from && at < from + widthMs);
      const values = inside.map(({ value }) => value ?? Number.NaN);
      const sum = values.reduce((total, value) => total + value, 0);
      const at = inside.length === 1 ? (inside[0]?.at ?? from) : from;
      if (values.length > 0)
        found.push([at, Math.min(...values), Math.max(...values), sum / values.length, values.length]);
    }
    reduced.set(layer, found);
  }
  return reduced;
}

function reduce(slices: readonly SampleSlice[], lengthMs: number, points: number): ReducedSeries {
  const range = { fromMs: START_MS, toMs: START_MS + lengthMs - 1 };
  const series = new ReducedSeries(getResource("cholesterol"), range, points);
  for (const slice of slices) series.add(slice);
  return series;
}

describe("a reduced series", () => {
  test("equals a reduction by the definition, for any samples, chunks and number of points", () => {
    const world = fc.record({
      lengthMs: fc.integer({ min: 1, max: 3 * DAY_MS }),
      points: fc.integer({ min: 1, max: 60 }),
    });
    const property = fc.property(
      world.chain(({ lengthMs, points }) =>
        fc.record({
          lengthMs: fc.constant(lengthMs),
          points: fc.constant(points),
          samples: fc.array(known(lengthMs), { maxLength: 120 }),
          chunkMs: fc.constantFrom(60_000, 1_800_000, DAY_MS),
        }),
      ),
      ({ lengthMs, points, samples, chunkMs }) => {
        const series = reduce(toSlices(samples, chunkMs), lengthMs, points);
        const expected = reduceNaively(samples, lengthMs, points);
        const layers = series.layers();
        expect(layers.map(({ deviceId, type }) => `${deviceId} ${type}`).toSorted()).toEqual(
          [...expected.keys()].toSorted(),
        );
        for (const { deviceId, type, points: found } of layers) {
          const wanted = expected.get(`${deviceId} ${type}`) ?? [];
          const exact = ([at, min, max, , count]: readonly (number | undefined)[]) => [at, min, max, count];
          expect(found.map(exact)).toEqual(wanted.map(exact));
          for (const [place, [, min, max, mean]] of found.entries()) {
            const tolerance = 1e-6 * Math.max(1, Math.abs(min), Math.abs(max));
            expect(Math.abs(mean - (wanted[place]?.[3] ?? Number.NaN))).toBeLessThan(tolerance);
            expect(mean >= min && mean <= max).toBe(true);
          }
        }
        expect(series.size).toEqual({
          layers: layers.length,
          points: layers.reduce((total, layer) => total + layer.points.length, 0),
          samples: samples.length,
        });
      },
    );
    fc.assert(property, { numRuns: 300 });
  });

  test("does not depend on the order of chunks", () => {
    const property = fc.property(
      fc.array(known(DAY_MS), { maxLength: 80 }),
      fc.infiniteStream(fc.nat()),
      (samples, order) => {
        const slices = toSlices(samples, 1_800_000);
        const shuffled = slices
          .map((slice) => ({ slice, place: order.next().value ?? 0 }))
          .toSorted((one, other) => one.place - other.place)
          .map(({ slice }) => slice);
        const layersOf = (of: readonly SampleSlice[]) =>
          reduce(of, DAY_MS, 20)
            .layers()
            .map((layer) => ({
              ...layer,
              points: layer.points.map(([at, min, max, mean, count]) => [at, min, max, mean.toFixed(6), count]),
            }))
            .toSorted((one, other) => (`${one.deviceId} ${one.type}` < `${other.deviceId} ${other.type}` ? -1 : 1));
        expect(layersOf(shuffled)).toEqual(layersOf(slices));
      },
    );
    fc.assert(property, { numRuns: 100 });
  });

  test("has a layer for each number of a blood pressure, and none for text", () => {
    const samples = [
      { start: START_MS, value: null, offsetS: null, type: null, run: 0, fields: { systolic: 120, diastolic: 80 } },
    ];
    const columns = chunkToColumns({ samples, runs: [] });
    const slice = { provider: "omron", sourceType: "cuff", deviceId: null, appId: null, columns, from: 0, to: 1 };
    const series = new ReducedSeries(getResource("blood_pressure"), { fromMs: START_MS, toMs: START_MS }, 5);
    series.add(slice);
    expect(series.layers().map(({ field, points }) => [field, points])).toEqual([
      ["systolic", [[START_MS, 120, 120, 120, 1]]],
      ["diastolic", [[START_MS, 80, 80, 80, 1]]],
    ]);
    expect(timeseriesResources.filter((one) => !isPlottable(one)).map(({ name }) => name)).toEqual(["note"]);
  });
});
