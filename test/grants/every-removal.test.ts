import { afterAll, beforeAll, expect, test } from "vitest";
import { type StoryWorld, storyWorld } from "../local/service/story-world.ts";
import { refusingStatus, wholeStory } from "../local/service/whole-story.ts";
import { COUNT_VARIABLE, SEED_VARIABLE } from "./drill-variables.ts";
import { drawn, grantsOf, isOfThePlatform, nameOf } from "./grant.ts";
import { GrantDrill } from "./grant-drill.ts";
import { removalsTable } from "./removals-table.ts";

const LIMIT_MS = 3 * 3_600_000;
const { [COUNT_VARIABLE]: count = 30, [SEED_VARIABLE]: seed = 1 } = process.env;

let world: StoryWorld;
beforeAll(async () => {
  world = await storyWorld(refusingStatus);
});
afterAll(() => world.stop());

test("a step of the story detects the removal of each grant", { timeout: LIMIT_MS }, async () => {
  const all = grantsOf(world.service.cloud.policies);
  const asked = all.filter((grant) => !isOfThePlatform(grant));
  const drill = new GrantDrill(world.service, drawn(asked, Number(count), Number(seed)));
  // Print the findings even if the story fails.
  const story = await Promise.allSettled([wholeStory(world)]);
  const unnoticed = drill.end();
  console.info(removalsTable(drill.noticed, unnoticed));
  const seconds = Math.round(process.cpuUsage().user / 1e6);
  console.info(
    `Seed ${seed}; ${asked.length} grants of code, ${all.length - asked.length} of Lambda; ${seconds} s of CPU.`,
  );
  expect(story).toEqual([{ status: "fulfilled", value: undefined }]);
  expect(unnoticed.map(({ grant }) => nameOf(grant))).toEqual([]);
});
