// @module-tag share
import { afterAll, beforeAll, expect, test } from "vitest";
import { chooseCount } from "../../../support/depth.ts";
import { Race } from "./race.ts";
import { RaceFixture } from "./race-fixture.ts";

const RUNS = chooseCount(10, 200, 1_000);

let stage: RaceFixture;
beforeAll(async () => {
  stage = await RaceFixture.open();
});
afterAll(() => stage.close());

test("no interleaving of create, delete, undo, rename and the erasure timer breaks a rule", {
  timeout: 1_800_000,
}, async () => {
  for (let run = 1; run <= RUNS; run++) await new Race(2 * run, stage).run();
});

test("a seed replays its run step by step", async () => {
  const [first, second] = [new Race(14, stage), new Race(14, stage)];
  await first.run();
  await second.run();
  expect(first.trace.length).toBeGreaterThan(10);
  expect(second.trace).toEqual(first.trace);
  expect(second.history).toEqual(first.history);
});
