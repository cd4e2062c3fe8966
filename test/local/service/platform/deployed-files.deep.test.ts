// @module-tag deep
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { contracts } from "../../../../functions/index.ts";
import { assembleDeployedFiles } from "../../../support/deployed-files.ts";
import { type StoryFixture, startStory } from "../story/story-fixture.ts";
import { receiverStatus, runWholeStory } from "../story/whole-story.ts";

const directory = mkdtempSync(join(tmpdir(), "deployed-files-"));
let world: StoryFixture;
beforeAll(async () => {
  world = await startStory(receiverStatus, await assembleDeployedFiles(directory));
}, 600_000);
afterAll(async () => {
  await world.stop();
  rmSync(directory, { recursive: true, force: true });
});

// Local runs share chunks between functions, deployments do not. So the story runs once with the deployed files, and
// `npm run test:deep` runs it with those of a deployment with team credentials.
test("the deployed files of all functions run the whole story", { tags: "full", timeout: 1_500_000 }, async () => {
  await runWholeStory(world);
  const callers = new Set([...world.service.observed].map((use) => use.split(" ")[0] ?? ""));
  // Some functions call no AWS service, so the observer of permissions does not see them.
  expect(callers.size).toBeGreaterThan(0.85 * contracts.length);
  expect(readdirSync(join(directory, "functions"))).not.toContain("shared");
});
