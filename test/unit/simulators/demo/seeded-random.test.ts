import { expect, test } from "vitest";
import { createSeededRandom, randomInteger, randomNoise } from "../../../../lib/simulators/demo/seeded-random.ts";

const places = Array.from({ length: 20_000 }, (_, index) => index);
const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

test.each([0, 1, 2 ** 32 - 1])("random numbers of seed %d are uniform and uncorrelated", (seed) => {
  const draw = createSeededRandom(seed);
  const values = places.map((place) => draw("a", place));
  const tenths = Map.groupBy(values, (value) => Math.floor(10 * value));
  expect([...tenths.keys()].toSorted()).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  for (const tenth of tenths.values()) expect(Math.abs(tenth.length - 2_000)).toBeLessThan(200);
  const products = values.slice(1).map((value, index) => (value - 0.5) * (values[index]! - 0.5));
  expect(Math.abs(mean(products))).toBeLessThan(0.003);
});

test("a random number depends on seed, name and index", () => {
  const drawn = [
    createSeededRandom(1)("a", 1),
    createSeededRandom(2)("a", 1),
    createSeededRandom(1)("b", 1),
    createSeededRandom(1)("a", 2),
  ];
  expect(new Set(drawn).size).toBe(4);
  expect(createSeededRandom(1)("a", 1)).toBe(drawn[0]);
});

test("noise has mean 0, deviation 1 and stays within 3", () => {
  const values = places.map((place) => randomNoise(createSeededRandom(3), "n", place));
  expect(mean(values)).toBeCloseTo(0, 1);
  expect(Math.sqrt(mean(values.map((value) => value ** 2)))).toBeCloseTo(1, 1);
  expect(Math.max(...values.map(Math.abs))).toBeLessThan(3);
});

test("random integers cover both bounds and all values between", () => {
  const drawn = new Set(places.map((place) => randomInteger(createSeededRandom(4), "w", place, 2, 4)));
  expect(drawn).toEqual(new Set([2, 3, 4]));
});
