import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { endpoints } from "../../../../../functions/index.ts";
import { buildLocally } from "../../../../../lib/build/local-build.ts";
import { grantsForTeam } from "../../../../../lib/contract/team-keys.ts";
import { type StoryFixture, startStory } from "../../story/story-fixture.ts";
import { receiverStatus, runWholeStory } from "../../story/whole-story.ts";

let world: StoryFixture;
beforeAll(async () => {
  const { assemblyDirectory } = await buildLocally({ lake: true, teamCredentials: true });
  world = await startStory(receiverStatus, assemblyDirectory);
}, 600_000);
afterAll(() => world.stop());

test("every route of a team works with credentials of its team alone", { timeout: 1_500_000 }, async () => {
  await runWholeStory(world);
  const { observed, data } = world.service;
  const denied = readFileSync(data.file("functions.log"), "utf8")
    .split("\n")
    .filter((line) => /AccessDenied/.test(line));
  expect(denied).toEqual([]);
  const assuming = [...observed]
    .filter((use) => use.includes(" sts:AssumeRole "))
    .map((use) => use.split(" ")[0] ?? "");
  const ofTeam = endpoints.filter((contract) => grantsForTeam(contract).length > 0);
  const others = ofTeam.filter(({ operationId }) => !assuming.some((name) => name.includes(`-${operationId}`)));
  expect(others.map(({ operationId }) => operationId)).toEqual([]);
});
