import { afterAll, beforeAll, expect, test } from "vitest";
import { type StoryFixture, startStory } from "../local/service/story/story-fixture.ts";
import { receiverStatus, runWholeStory } from "../local/service/story/whole-story.ts";
import { createKeyedRandom } from "../simulation/keyed-random.ts";
import { FaultExplorer } from "./fault-explorer.ts";
import { drawPairs } from "./fault-modes.ts";

const LIMIT_MS = 6 * 3_600_000;
/** Number of drawn pairs for an invocation. */
const PAIRS = Number(process.env.FAULT_PAIRS ?? 1);
const SEED = Number(process.env.FAULT_SEED ?? 1);

let world: StoryFixture;
beforeAll(async () => {
  world = await startStory(receiverStatus);
});
afterAll(() => world.stop());

test("no fault of a call, followed by one of the repetition, leaves a partial effect", {
  timeout: LIMIT_MS,
}, async () => {
  const random = createKeyedRandom(SEED);
  let invocations = 0;
  const explorer = new FaultExplorer(world.service, {
    pairsOf: (operation, calls) => drawPairs(random, `${operation} ${invocations++}`, calls, PAIRS),
    onFinding: (finding) => console.info(JSON.stringify(finding)),
  });
  await runWholeStory(world);
  explorer.stop();
  console.info(`${explorer.cases} pairs at ${invocations} invocations of ${explorer.explored.size} functions`);
  expect(explorer.findings, JSON.stringify(explorer.findings)).toEqual([]);
});
