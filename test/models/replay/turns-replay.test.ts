import { afterAll, beforeAll, expect, test } from "vitest";
import { chooseCount } from "../../support/depth.ts";
import { replayTrace } from "./replay-trace.ts";
import { TurnsStage } from "./turns-stage.ts";
import { TurnsTrace } from "./turns-trace.ts";

const RUNS = chooseCount(4, 300);

let stage: TurnsStage;
beforeAll(async () => {
  stage = await TurnsStage.open();
});
afterAll(() => stage.close());

async function replay(seed: number) {
  const trace = new TurnsTrace(seed, stage);
  const effects = await trace.run();
  return replayTrace(trace.model, effects);
}

test("the model of delivery turns allows each step of the real consumers", { timeout: 1_800_000 }, async () => {
  let steps = 0;
  const first = Number(process.env.SEED ?? 1);
  for (let seed = first; seed < first + RUNS; seed++) {
    const result = await replay(seed);
    expect(result.refused, `seed ${seed}`).toBe(undefined);
    steps += result.steps;
  }
  expect(steps).toBeGreaterThan(10 * RUNS);
  console.log(steps);
});
