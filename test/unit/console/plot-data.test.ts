import { describe, expect, test } from "vitest";
import { mergePoints } from "../../../web/console/api/merge-points.ts";
import type { Point } from "../../../web/console/api/series.ts";
import { toPlotData } from "../../../web/console/plot/plot-data.ts";
import { sourceLabels } from "../../../web/console/plot/source-labels.ts";
import { timeLabels } from "../../../web/console/plot/time-axis.ts";

const point = (t: number, value: number): Point => [t, value, value, value, 1];

describe("merging points", () => {
  test("keeps extremes, the weighted mean and the number, and the own time of an only point", () => {
    const points: Point[] = [[0, 1, 5, 3, 3], [4, 9, 9, 9, 1], point(17, 2)];
    expect(mergePoints(points, { from: 0, to: 100 }, 10)).toEqual([[0, 1, 9, 4.5, 4], point(17, 2)]);
  });
});

describe("the data of a plot", () => {
  const layers = [
    { source: { provider: "oura" }, points: [point(0, 1), point(10, 2), point(20, 3), point(200, 4)] },
    { source: { provider: "fitbit" }, points: [point(10, 7), point(100, 8)] },
  ];

  test("has all times once, in order, and the values of each layer at its own", () => {
    const [times, mean, max, min, other] = toPlotData(layers, false);
    expect(times).toEqual([0, 10, 20, 100, 200]);
    expect([mean?.[1], max?.[1], min?.[1], other?.[1]]).toEqual([2, 2, 2, 7]);
    expect([mean?.[4], other?.[4]]).toEqual([4, undefined]);
  });

  test("interrupts a line where samples are missing, and not where another source has one more", () => {
    const [, mean, , , other] = toPlotData(layers, false);
    expect(mean?.[3]).toBeNull();
    expect(other?.[2]).toBeUndefined();
  });

  test("has totals for amounts", () => {
    const [, total] = toPlotData([{ source: { provider: "oura" }, points: [[0, 1, 3, 2, 5]] }], true);
    expect(total).toEqual([10]);
  });
});

test("sources are named as shortly as they differ", () => {
  const ring = { provider: "oura", type: "ring", device_id: "a" };
  const [one, other] = ["1", "2"].map((device_id) => ({ provider: "fitbit", type: "watch", device_id }));
  expect([...sourceLabels([ring, one!, other!]).values()]).toEqual([
    "Oura, ring",
    "Fitbit, watch, 1",
    "Fitbit, watch, 2",
  ]);
});

test("ticks name the day where it begins, in the zone that the person has chosen", () => {
  const ticks = [22, 23, 24, 25].map((hour) => Date.UTC(2026, 0, 5, hour));
  expect(timeLabels(ticks, "Europe/Madrid", 3_600_000)).toEqual(["23:00\n5 Jan", "00:00\n6 Jan", "01:00", "02:00"]);
  expect(timeLabels([Date.UTC(2025, 11, 31), Date.UTC(2026, 0, 1)], "UTC", 86_400_000)).toEqual([
    "31 Dec\n2025",
    "1 Jan\n2026",
  ]);
});
