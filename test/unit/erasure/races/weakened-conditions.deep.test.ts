// @module-tag deep
import { afterAll, beforeAll, expect, test } from "vitest";
import { Race, RaceViolation } from "./race.ts";
import { RaceFixture } from "./race-fixture.ts";
import { weakenedConditions } from "./weakened-conditions.ts";

/** Far more runs than any weakened condition needs. */
const MOST_RUNS = 1_000;

let stage: RaceFixture;
beforeAll(async () => {
  stage = await RaceFixture.open();
});
afterAll(() => stage.close());

test.each(weakenedConditions)("the races detect a store that $name", async ({ tamper }) => {
  stage.gate.tamper = tamper;
  expect(await firstLostRun()).toBeInstanceOf(RaceViolation);
});

async function firstLostRun(): Promise<unknown> {
  for (let seed = 2; seed <= 2 * MOST_RUNS; seed += 2) {
    try {
      await new Race(seed, stage).run();
    } catch (error) {
      return error;
    }
  }
  return undefined;
}
