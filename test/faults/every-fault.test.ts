import { afterAll, beforeAll, expect, test } from "vitest";
import { type StoryWorld, storyWorld } from "../local/service/story-world.ts";
import { refusingStatus, wholeStory } from "../local/service/whole-story.ts";
import { everyMode } from "./choices.ts";
import { Explorer } from "./explorer.ts";

const LIMIT_MS = 3 * 3_600_000;

let world: StoryWorld;
beforeAll(async () => {
  world = await storyWorld(refusingStatus);
});
afterAll(() => world.stop());

test("no single fault of a call leaves a partial effect", { timeout: LIMIT_MS }, async () => {
  const explorer = new Explorer(world.service, everyMode, (finding) => console.info(JSON.stringify(finding)));
  await wholeStory(world);
  const seconds = Math.round(process.cpuUsage().user / 1e6);
  const invocations = [...explorer.explored.values()].reduce((total, count) => total + count, 0);
  console.info(
    `${explorer.cases} faults at ${invocations} invocations (${explorer.unsteady} nondeterministic) of ${explorer.explored.size} ` +
      `functions, ${seconds} s of CPU.`,
  );
  explorer.end();
  expect(explorer.findings, JSON.stringify(explorer.findings)).toEqual([]);
});
