import { afterAll, beforeAll, expect, test } from "vitest";
import { type StoryFixture, startStory } from "../local/service/story/story-fixture.ts";
import { receiverStatus, runWholeStory } from "../local/service/story/whole-story.ts";
import { GRANT_COUNT_VARIABLE, GRANT_SEED_VARIABLE } from "./drill-variables.ts";
import { GrantDrill } from "./grant-drill.ts";
import { describeGrant, isPlatformGrant, listPolicyGrants, sampleGrants } from "./policy-grant.ts";
import { formatRemovals } from "./removals-table.ts";

const LIMIT_MS = 3 * 3_600_000;
const { [GRANT_COUNT_VARIABLE]: count = 30, [GRANT_SEED_VARIABLE]: seed = 1 } = process.env;

let world: StoryFixture;
beforeAll(async () => {
  world = await startStory(receiverStatus);
});
afterAll(() => world.stop());

test("a step of the story detects the removal of each grant", { timeout: LIMIT_MS }, async () => {
  const all = listPolicyGrants(world.service.cloud.policies);
  const asked = all.filter((grant) => !isPlatformGrant(grant));
  const drill = new GrantDrill(world.service, sampleGrants(asked, Number(count), Number(seed)));
  // Print the findings even if the story fails.
  const story = await Promise.allSettled([runWholeStory(world)]);
  const unnoticed = drill.finish();
  console.info(formatRemovals(drill.noticed, unnoticed));
  const seconds = Math.round(process.cpuUsage().user / 1e6);
  console.info(
    `Seed ${seed}; ${asked.length} grants of code, ${all.length - asked.length} of Lambda; ${seconds} s of CPU.`,
  );
  expect(story).toEqual([{ status: "fulfilled", value: undefined }]);
  expect(unnoticed.map(({ grant }) => describeGrant(grant))).toEqual([]);
});
