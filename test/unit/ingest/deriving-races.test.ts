import { afterAll, beforeAll, expect, test } from "vitest";
import { DerivingRace } from "./deriving-race.ts";
import { DerivingStage } from "./deriving-stage.ts";

const RUNS = 200;

let stage: DerivingStage;
beforeAll(async () => {
  stage = await DerivingStage.open();
});
afterAll(() => stage.close());

test("days come to what their samples are, however batches that change them overlap, break off and come again", {
  timeout: 120_000,
}, async () => {
  for (let seed = 1; seed <= RUNS; seed++) {
    const broken = await new DerivingRace(seed, stage).run();
    expect(broken, [`seed ${seed}`, ...broken, ...stage.interleaving.trace].join("\n")).toEqual([]);
  }
});
