import { describe, expect, test, vi } from "vitest";
import type { Point, Range, Series } from "../../../web/console/api/series.ts";
import { TileStore } from "../../../web/console/plot/tile-store.ts";
import { tilesOf, tileWidth } from "../../../web/console/plot/tiles.ts";

const HOUR_MS = 3_600_000;
const START = Date.UTC(2026, 0, 5);
const view = { from: START, to: START + 24 * HOUR_MS };
const source = { provider: "oura", type: "ring" };

/** A source with one sample a minute, whose value is its hour. */
function seriesOf({ from, to }: Range): Series {
  const points: Point[] = [];
  for (let t = Math.ceil(from / 60_000) * 60_000; t < to; t += 60_000) {
    const value = Math.floor(t / HOUR_MS) % 24;
    points.push([t, value, value, value, 1]);
  }
  return { resource: "heartrate", unit: "bpm", layers: [{ source, points }], reduced_from: points.length };
}

/** A store whose requests the test answers. */
function createStore() {
  const asked: { range: Range; signal: AbortSignal; answer: (series: Series) => void; fail: (error: Error) => void }[] =
    [];
  const onChange = vi.fn();
  const load = (range: Range, signal: AbortSignal) =>
    new Promise<Series>((answer, fail) => asked.push({ range, signal, answer, fail }));
  const store = new TileStore(load, onChange);
  const answerAll = async () => {
    for (const { range, answer } of asked) answer(seriesOf(range));
    await Promise.resolve();
    await Promise.resolve();
  };
  return { store, asked, onChange, answerAll };
}

describe("tiles", () => {
  test("are at least half as wide as the view, and cover it without gap and overlap", () => {
    for (const hours of [0.02, 1, 24, 24 * 365]) {
      const range = { from: START + 12_345, to: START + 12_345 + hours * HOUR_MS };
      const tiles = tilesOf(range, tileWidth(range));
      expect(tileWidth(range) * 2).toBeGreaterThanOrEqual(range.to - range.from);
      expect(tiles.length).toBeLessThanOrEqual(3);
      expect(tiles[0]?.from).toBeLessThanOrEqual(range.from);
      expect(tiles.at(-1)?.to).toBeGreaterThanOrEqual(range.to);
      for (const [at, tile] of tiles.slice(1).entries()) expect(tile.from).toBe(tiles[at]?.to);
    }
  });
});

describe("the store of tiles", () => {
  test("asks for each tile once, and reads what arrived without gap and overlap", async () => {
    const { store, asked, answerAll } = createStore();
    store.show(view);
    store.show({ from: view.from + 1, to: view.to + 1 });
    expect(new Set(asked.map(({ range }) => range.from)).size).toBe(asked.length);
    expect(store.read(view)).toMatchObject({ layers: [], isComplete: false });
    await answerAll();
    const { layers, unit, isComplete } = store.read(view);
    expect([unit, isComplete, layers.length]).toEqual(["bpm", true, 1]);
    const within = layers[0]?.points.filter(([t]) => t >= view.from && t < view.to) ?? [];
    const times = within.map(([t]) => t);
    expect(times).toEqual([...new Set(times)].toSorted((one, other) => one - other));
    const total = layers[0]?.points.reduce((sum, point) => sum + point[4], 0);
    const span = tilesOf(view, tileWidth(view)).reduce((sum, { from, to }) => sum + to - from, 0);
    expect(total).toBe(span / 60_000);
  });

  test("aborts the requests of tiles that a new view does not need", () => {
    const { store, asked } = createStore();
    store.show(view);
    const first = [...asked];
    store.show({ from: view.from - 400 * 24 * HOUR_MS, to: view.to - 400 * 24 * HOUR_MS });
    expect(first.every(({ signal }) => signal.aborted)).toBe(true);
    expect(asked.slice(first.length).every(({ signal }) => !signal.aborted)).toBe(true);
    store.close();
    expect(asked.every(({ signal }) => signal.aborted)).toBe(true);
  });

  test("draws a narrower view from the wider tiles until its own arrive", async () => {
    const { store, answerAll } = createStore();
    store.show(view);
    await answerAll();
    const narrow = { from: view.from + 9 * HOUR_MS, to: view.from + 10 * HOUR_MS };
    const { layers, isComplete } = store.read(narrow);
    expect(isComplete).toBe(false);
    const values = layers[0]?.points.filter(([t]) => t >= narrow.from && t < narrow.to).map(([, , , mean]) => mean);
    expect(values?.length).toBeGreaterThan(10);
    expect(new Set(values)).toEqual(new Set([9]));
  });

  test("reports a tile that failed, and asks for it again", async () => {
    const { store, asked, onChange } = createStore();
    store.show(view);
    const count = asked.length;
    asked[0]?.fail(new Error("gone"));
    await Promise.resolve();
    await Promise.resolve();
    expect(onChange).toHaveBeenCalledWith(new Error("gone"));
    store.show(view);
    expect(asked.length).toBe(count + 1);
  });
});
