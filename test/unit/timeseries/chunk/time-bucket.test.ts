import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { bucketStart, bucketsBetween } from "../../../../lib/domain/timeseries/chunk/time-bucket.ts";

const HALF_HOUR_MS = 1_800_000;
const instant = fc.integer({ min: -(2 ** 48), max: 2 ** 48 });

describe("time buckets", () => {
  test("an instant lies in the bucket that starts at or before it, including instants before 1970", () => {
    expect(bucketStart(HALF_HOUR_MS - 1, HALF_HOUR_MS)).toBe(0);
    expect(bucketStart(HALF_HOUR_MS, HALF_HOUR_MS)).toBe(HALF_HOUR_MS);
    expect(bucketStart(-1, HALF_HOUR_MS)).toBe(-HALF_HOUR_MS);
    expect(bucketStart(-HALF_HOUR_MS, HALF_HOUR_MS)).toBe(-HALF_HOUR_MS);
  });

  test("bucketsBetween excludes the end of the window", () => {
    expect(bucketsBetween(-1, HALF_HOUR_MS, HALF_HOUR_MS)).toEqual([-HALF_HOUR_MS, 0]);
    expect(bucketsBetween(-1, HALF_HOUR_MS + 1, HALF_HOUR_MS)).toEqual([-HALF_HOUR_MS, 0, HALF_HOUR_MS]);
    expect(bucketsBetween(5, 5, HALF_HOUR_MS)).toEqual([]);
  });

  test("bucketsBetween lists a bucket for every instant of the window", () => {
    fc.assert(
      fc.property(
        instant,
        fc.nat(10_000),
        fc.nat(10_000),
        fc.integer({ min: 1, max: 5_000 }),
        (from, at, more, width) => {
          expect(bucketsBetween(from, from + at + more + 1, width)).toContain(bucketStart(from + at, width));
        },
      ),
    );
  });

  test("bucketStart rejects a width that is not a positive integer", () => {
    for (const width of [0, -1, 0.5, Number.NaN]) expect(() => bucketStart(0, width)).toThrow(RangeError);
  });
});
