// @module-tag share
import { beforeAll, expect, test } from "vitest";
import { floods } from "../../neighbours/floods.ts";
import { judgeFlood } from "../../neighbours/judge-flood.ts";
import { type FloodMeasurement, type FloodSizes, measureFlood } from "../../neighbours/measure-flood.ts";
import { isDeep } from "../../support/depth.ts";

/** Shares of `npm run drill -- neighbours`: fewer teams with half the load together, for a shorter time. */
const QUICK: FloodSizes = { seed: 1, teams: 25, perSecond: 2, warmUpS: 3, windowS: 16, share: 0.005 };
const DEEP: FloodSizes = { ...QUICK, teams: 33, perSecond: 3, windowS: 40, share: 0.02 };
const sizes = isDeep ? DEEP : QUICK;
/** The first flood, at an endpoint of unknown speed, shows a missing limit at once. */
const chosen = isDeep ? floods : floods.slice(0, 1);

let without: FloodMeasurement;
beforeAll(async () => {
  without = await measureFlood(sizes);
});

test.each(chosen)("the other teams do not notice a flood: $name", async (flood) => {
  const measured = await measureFlood(sizes, flood);
  expect(measured.events).toBeGreaterThan(500);
  expect(judgeFlood(measured, without)).toEqual([]);
});

test("a seed gives the same run again", async () => {
  expect(await measureFlood(sizes)).toEqual(without);
});
