// @module-tag share
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { chooseCount } from "../../support/depth.ts";
import { RaceFixture } from "../../unit/erasure/races/race-fixture.ts";
import { weakenedConditions } from "../../unit/erasure/races/weakened-conditions.ts";
import { DeletionTrace, deletionModel } from "./deletion-trace.ts";
import { replayTrace } from "./replay-trace.ts";

const RUNS = chooseCount(4, 100, 300);
/** Far more runs than any sabotage needs. */
const MOST_RUNS = 1_000;

let stage: RaceFixture;
beforeAll(async () => {
  stage = await RaceFixture.open();
});
afterAll(() => stage.close());

test("the model of deletion, undo and reuse allows each step of the real handlers", {
  timeout: 1_800_000,
}, async () => {
  let steps = 0;
  for (let seed = 1; seed <= RUNS; seed++) {
    const replay = replayTrace(deletionModel, await new DeletionTrace(seed, stage).run());
    expect(replay.refused, `seed ${seed}`).toBe(undefined);
    steps += replay.steps;
  }
  expect(steps).toBeGreaterThan(10 * RUNS);
});

describe("the model refuses handlers whose store", { tags: "deep" }, () => {
  const replayed = weakenedConditions.filter(({ name }) => !/connects|changes/.test(name));
  test.each(replayed)("$name", async ({ tamper }) => {
    stage.gate.tamper = tamper;
    let refused: string | undefined;
    let seed = 0;
    try {
      while (refused === undefined && seed < MOST_RUNS) {
        const trace = await new DeletionTrace(++seed, stage).run();
        refused = replayTrace(deletionModel, trace).refused;
      }
    } finally {
      stage.gate.tamper = (item) => item;
    }
    expect(refused).toContain("REFUSED");
  });
});
