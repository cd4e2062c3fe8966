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

test("no interleaving breaks a rule when requests and responses are lost", { timeout: 1_800_000 }, async () => {
  let unknown = 0;
  for (let run = 1; run <= RUNS; run++) {
    const race = new Race(2 * run - 1, stage);
    await race.run();
    unknown += race.history.filter(({ outcome }) => outcome === undefined).length;
  }
  expect(unknown).toBeGreaterThan(RUNS / 10);
});
