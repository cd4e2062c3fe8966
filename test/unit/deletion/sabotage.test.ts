import { afterAll, beforeAll, expect, test } from "vitest";
import { Race, RaceLost } from "./race.ts";
import { RaceStage } from "./race-stage.ts";
import { sabotages } from "./sabotage.ts";

/** Far more runs than any weakened condition needs. */
const MOST_RUNS = 1_000;

let stage: RaceStage;
beforeAll(async () => {
  stage = await RaceStage.open();
});
afterAll(() => stage.close());

test.each(sabotages)("the races detect a store that $name", { timeout: 120_000 }, async ({ tamper }) => {
  stage.gate.tamper = tamper;
  expect(await firstLostRun()).toBeInstanceOf(RaceLost);
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
