import type { Point, Range } from "./series.ts";

/**
 * Merges points that share a bucket of a range, so that ranges with few and with many samples look alike.
 * A bucket with one point keeps its time.
 */
export function mergePoints(points: readonly Point[], { from, to }: Range, buckets: number): readonly Point[] {
  const width = (to - from) / buckets;
  const merged: Point[] = [];
  let before = -1;
  for (const point of points) {
    const bucket = Math.floor((point[0] - from) / width);
    const last = bucket === before ? merged.pop() : undefined;
    merged.push(last ? merge(last, point, from + bucket * width) : point);
    before = bucket;
  }
  return merged;
}

function merge([, min, max, mean, count]: Point, other: Point, t: number): Point {
  const total = count + other[4];
  const joint = (mean * count + other[3] * other[4]) / total;
  return [Math.round(t), Math.min(min, other[1]), Math.max(max, other[2]), joint, total];
}
