import { afterAll, beforeAll, expect, test } from "vitest";
import { type StoryFixture, startStory } from "../local/service/story/story-fixture.ts";
import { receiverStatus, runWholeStory } from "../local/service/story/whole-story.ts";
import { FaultExplorer } from "./fault-explorer.ts";
import { allModes } from "./fault-modes.ts";

const LIMIT_MS = 3 * 3_600_000;

let world: StoryFixture;
beforeAll(async () => {
  world = await startStory(receiverStatus);
});
afterAll(() => world.stop());

test("no single fault of a call leaves a partial effect", { timeout: LIMIT_MS }, async () => {
  const explorer = new FaultExplorer(world.service, {
    modesAt: allModes,
    onFinding: (finding) => console.info(JSON.stringify(finding)),
  });
  await runWholeStory(world);
  const seconds = Math.round(process.cpuUsage().user / 1e6);
  const invocations = [...explorer.explored.values()].reduce((total, count) => total + count, 0);
  console.info(
    `${explorer.cases} faults at ${invocations} invocations (${explorer.nondeterministic} nondeterministic) of ${explorer.explored.size} ` +
      `functions, ${seconds} s of CPU.`,
  );
  explorer.stop();
  expect(explorer.findings, JSON.stringify(explorer.findings)).toEqual([]);
});
