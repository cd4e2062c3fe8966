import { describe, expect, test } from "vitest";
import { chunkToColumns } from "../../../lib/domain/timeseries/chunk/chunk-columns.ts";
import { getResource } from "../../../lib/domain/timeseries/resources.ts";
import { seriesQuery } from "../../../lib/domain/timeseries/wire-series.ts";
import { PageCursor } from "../../../lib/runtime/http/page-cursor.ts";
import { setPorts } from "../../../lib/runtime/ports.ts";
import { readSeries } from "../../../lib/services/timeseries/read-series.ts";
import { TeamScope } from "../../../lib/store/team-scope.ts";
import type { ChunkSlice } from "../../../lib/store/timeseries/chunk-slice.ts";
import type { ChunkQuery } from "../../../lib/store/timeseries/chunks.ts";

const HALF_HOUR_MS = 1_800_000;
const DAY_MS = 48 * HALF_HOUR_MS;
const FIRST_MS = Date.UTC(2025, 0, 1);
const scope = TeamScope.grant("7ea70000-0000-4000-8000-000000000001");
const resource = getResource("heartrate");

/** Chunks of half an hour in the order of their keys, as the store yields them. */
class MadeChunks {
  yielded = 0;
  readonly #days: number;
  readonly #stepMs: number;
  readonly #devices: readonly string[];

  constructor(days: number, stepMs: number, devices: readonly string[] = ["watch"]) {
    this.#days = days;
    this.#stepMs = stepMs;
    this.#devices = devices;
  }

  async *read(_: TeamScope, __: string, ___: unknown, { after = "" }: ChunkQuery): AsyncGenerator<ChunkSlice> {
    for (let place = 0; place < this.#days * 48; place++) {
      for (const deviceId of this.#devices) {
        const sk = `${String(place).padStart(6, "0")}#${deviceId}`;
        if (sk < after) continue;
        this.yielded++;
        yield this.#slice(sk, FIRST_MS + place * HALF_HOUR_MS, deviceId);
      }
    }
  }

  #slice(sk: string, startMs: number, deviceId: string): ChunkSlice {
    const count = HALF_HOUR_MS / this.#stepMs;
    const samples = Array.from({ length: count }, (_, index) => ({
      start: startMs + index * this.#stepMs,
      ...{ value: 60 + ((startMs / HALF_HOUR_MS + index) % 40), offsetS: null, type: null, run: 0 },
    }));
    const columns = chunkToColumns({ samples, runs: [] });
    return { sk, provider: "oura", sourceType: "ring", deviceId, appId: null, columns, from: 0, to: count };
  }
}

const read = (chunks: MadeChunks, query: object, maxChunks?: number) =>
  readSeries(chunks, {
    ...{ scope, userId: "u", resource, pages: new PageCursor(() => "test") },
    query: seriesQuery.parse({ start_date: "2025-01-01", end_date: "2025-12-31", ...query }),
    ...(maxChunks === undefined ? {} : { maxChunks }),
  });

describe("a series", () => {
  test("of a year of a heart rate every five seconds is one small answer", {
    tags: "deep",
  }, async () => {
    const series = await read(new MadeChunks(365, 5_000), { points: "2000" });
    expect(series).toMatchObject({ chunks_read: 17_520, reduced_from: 6_307_200, next_cursor: null });
    const [layer] = series.layers;
    expect(layer?.points).toHaveLength(2_000);
    expect(layer?.points.reduce((total, [, , , , count]) => total + count, 0)).toBe(6_307_200);
    expect(JSON.stringify(series).length).toBeLessThan(120_000);
  });

  test("reads no more chunks than a page may, and the next page begins where it ended", async () => {
    const chunks = new MadeChunks(3, 60_000, ["a", "b"]);
    const whole = await read(chunks, { points: "7" });
    const parts = [];
    let next_cursor: string | null | undefined;
    do {
      chunks.yielded = 0;
      const part = await read(chunks, { points: "7", ...(next_cursor && { next_cursor }) }, 31);
      expect(part.chunks_read).toBeLessThanOrEqual(31);
      // The store yields the chunk at which the page ends.
      expect(chunks.yielded).toBeLessThanOrEqual(32);
      parts.push(part);
      next_cursor = part.next_cursor;
    } while (next_cursor);
    expect(parts).toHaveLength(Math.ceil((3 * 48 * 2) / 31));
    expect(parts.reduce((total, part) => total + part.reduced_from, 0)).toBe(whole.reduced_from);
    for (const { source, points } of whole.layers) {
      const found = parts.flatMap(({ layers }) =>
        layers.filter((layer) => layer.source.device_id === source.device_id).flatMap((layer) => layer.points),
      );
      const combined = [
        ...Map.groupBy(found, ([at]) => whole.width_ms * Math.floor((at - FIRST_MS) / whole.width_ms) + FIRST_MS),
      ].map(([at, same]) => {
        const count = same.reduce((total, point) => total + point[4], 0);
        const sum = same.reduce((total, point) => total + point[3] * point[4], 0);
        return [
          at,
          Math.min(...same.map(([, min]) => min)),
          Math.max(...same.map(([, , max]) => max)),
          sum / count,
          count,
        ];
      });
      const rounded = (list: readonly (readonly (number | undefined)[])[]) =>
        list.map(([at, min, max, mean = 0, count]) => [at, min, max, mean.toFixed(5), count]);
      expect(rounded(combined)).toEqual(rounded(points));
    }
  });

  test("without an end has the same intervals on each page, however late it is requested", async () => {
    let nowMs = FIRST_MS + DAY_MS;
    setPorts({ clock: { now: () => nowMs } });
    try {
      const query = { end_date: undefined, points: "7" };
      const first = await read(new MadeChunks(1, 60_000), query, 20);
      nowMs += DAY_MS;
      const second = await read(new MadeChunks(1, 60_000), { ...query, next_cursor: first.next_cursor }, 20);
      expect([second.end, second.width_ms]).toEqual([first.end, first.width_ms]);
      expect((await read(new MadeChunks(1, 60_000), query)).width_ms).toBeGreaterThan(first.width_ms);
    } finally {
      setPorts(undefined);
    }
  });

  test("ends a page at its maximum of points, so that many devices do not exceed an answer", async () => {
    const devices = Array.from({ length: 400 }, (_, index) => `device ${String(index).padStart(3, "0")}`);
    const made = new MadeChunks(10, HALF_HOUR_MS / 6, devices);
    const { layers, next_cursor } = await read(made, { end_date: "2025-01-10", points: "2000" });
    const points = layers.reduce((total, layer) => total + layer.points.length, 0);
    expect(points).toBeGreaterThan(30_000);
    expect(points + layers.length * 10).toBeLessThan(50_100);
    expect(next_cursor).not.toBeNull();
  });

  test("of one provider leaves the others out", async () => {
    expect((await read(new MadeChunks(1, 60_000), { provider: "fitbit" })).layers).toEqual([]);
  });

  test("states its intervals", async () => {
    const series = await read(new MadeChunks(1, 60_000), { end_date: "2025-01-01", points: "24" });
    expect(series).toMatchObject({
      ...{ resource: "heartrate", unit: "bpm", width_ms: DAY_MS / 24 },
      ...{ start: "2025-01-01T00:00:00+00:00", end: "2025-01-01T23:59:59.999+00:00" },
    });
    expect(series.layers[0]?.points.map(([at]) => at)).toEqual(
      Array.from({ length: 24 }, (_, hour) => FIRST_MS + (hour * DAY_MS) / 24),
    );
  });
});
