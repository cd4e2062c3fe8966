// @module-tag deep
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type StoryFixture, startStory } from "../local/service/story/story-fixture.ts";
import { receiverStatus, runWholeStory } from "../local/service/story/whole-story.ts";
import { DeadLetterWatch } from "./dead-letter-watch.ts";
import { runSideBySide, type VersionCounts } from "./side-by-side.ts";
import { buildVersionBefore } from "./version-before.ts";

let world: StoryFixture;
let counts: ReadonlyMap<string, VersionCounts>;
beforeAll(async () => {
  const modules = await buildVersionBefore();
  world = await startStory(receiverStatus);
  counts = await runSideBySide(world.service.cloud, modules, mkdtempSync(join(tmpdir(), "before-")));
}, 600_000);
afterAll(() => world?.stop());

test("the whole story succeeds while the two versions of each function take turns", {
  timeout: 3_000_000,
}, async () => {
  const watch = new DeadLetterWatch();
  const story = await Promise.allSettled([runWholeStory(world)]);
  const reasons = watch.stop();
  const all = [...counts.values()];
  const [before, next] = [all.map((one) => one.before), all.map((one) => one.next)];
  const sum = (some: readonly number[]) => some.reduce((total, one) => total + one, 0);
  const both = all.filter((one) => one.before > 0 && one.next > 0).length;
  console.info(`${both} functions ran in both versions: ${sum(before)} invocations before, ${sum(next)} next.`);
  expect(story).toEqual([{ status: "fulfilled", value: undefined }]);
  expect(both).toBeGreaterThan(200);
  // The story sends messages that are no JSON, whose reason is another one.
  expect(reasons.length).toBeGreaterThan(10);
  expect(reasons.filter((reason) => reason.includes("schema"))).toEqual([]);
});
