// @module-tag share
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { setPorts } from "../../../lib/runtime/ports.ts";
import { chooseCount } from "../../support/depth.ts";
import { startDynamodb, type TestDynamodb } from "../../support/dynamodb.ts";
import { DeliveryRace } from "./delivery-race.ts";

const SEEDS = Array.from({ length: chooseCount(10, 40) }, (_, seed) => seed);

let dynamodb: TestDynamodb;
beforeAll(async () => {
  dynamodb = await startDynamodb();
});
afterEach(() => setPorts(undefined));
afterAll(() => dynamodb.stop());

/** Runs one race in empty tables. A failure names the seed and the steps. */
async function runRace(seed: number, faultPercent: number): Promise<DeliveryRace> {
  await dynamodb.clear();
  const race = new DeliveryRace(dynamodb.documents, seed, faultPercent);
  try {
    await race.run(faultPercent > 0);
    expect(race.isUnfinished).toBe(false);
  } catch (error) {
    throw new Error(`seed ${seed}: ${error}\n${race.scheduler.trace.join("\n")}`);
  }
  return race;
}

test("attempts of one ordering key never overlap, in any order of requests, and no delivery waits for the sweeper", {
  tags: "deep",
}, async () => {
  for (const seed of SEEDS) {
    const { accepted, attempts, counted } = await runRace(seed, 0);
    expect([seed, accepted.toSorted()]).toEqual([seed, [...new Set(accepted)].toSorted()]);
    expect(counted).toBe(attempts);
  }
});

test("attempts of one ordering key never overlap while requests get lost, and every event is delivered", {
  tags: "deep",
}, async () => {
  for (const seed of SEEDS) {
    const { attempts, counted } = await runRace(1_000 + seed, 4);
    expect(counted).toBe(attempts);
  }
});
