// @module-tag deep
import { afterAll, beforeAll, expect, test } from "vitest";
import { FaultExplorer } from "../../../../faults/fault-explorer.ts";
import { drawPairs } from "../../../../faults/fault-modes.ts";
import { createKeyedRandom } from "../../../../simulation/keyed-random.ts";
import { runShortStory } from "../../story/short-story.ts";
import { type StoryFixture, startStory } from "../../story/story-fixture.ts";

/** `npm run drill -- faults --pairs` draws any number for the whole story. */
const PAIRS = 3;
const SEED = 1;

let world: StoryFixture;
beforeAll(async () => {
  world = await startStory();
});
afterAll(() => world.stop());

test("no fault of a call, followed by one of the repetition, leaves anything half done", async () => {
  const random = createKeyedRandom(SEED);
  const explorer = new FaultExplorer(world.service, {
    pairsOf: (operation, calls) => drawPairs(random, operation, calls, PAIRS),
  });
  await runShortStory(world);
  explorer.stop();
  expect(explorer.cases).toBeGreaterThan(100);
  expect(explorer.findings, JSON.stringify(explorer.findings)).toEqual([]);
});
