import { afterAll, beforeAll, expect, test } from "vitest";
import { endpoints } from "../../../functions/index.ts";
import { type StoryWorld, storyWorld } from "./story-world.ts";
import { Strangers } from "./strangers.ts";
import { GrantWatch } from "./used-grants.ts";
import { refusingStatus, wholeStory } from "./whole-story.ts";

let world: StoryWorld;
let strangers: Strangers;
beforeAll(async () => {
  world = await storyWorld(refusingStatus);
});
afterAll(() => world.stop());

/**
 * Grants that no story uses: the code that a demo connection shares with ingestion keeps big batches in the bucket, and
 * what a simulated phone has collected is small.
 */
const unused = ["connectDemoProvider s3:putobject"];

test("every grant of every function is used", { timeout: 1_500_000 }, async () => {
  const watch = new GrantWatch(world.service.cloud);
  strangers = await Strangers.among(world.service);
  await wholeStory(world);
  expect((await watch.unused()).map((grant) => grant.replace(/ arn:\S+$/, ""))).toEqual(unused);
});

/** Strangers have come past all of the story, see {@link Strangers}. */
test("ids of another team are answered as ids of nobody, on every route", { timeout: 900_000 }, async () => {
  const { findings, compared, asked, continued } = strangers;
  expect(findings.leaks).toEqual([]);
  const keyed = endpoints.filter(({ auth }) => auth !== "none");
  // Whoever may have an answer has got it each time after strangers were refused: else that would prove nothing.
  const unproven = keyed.filter(({ operationId }) => !compared.has(operationId) && !asked.has(operationId));
  expect(unproven.map(({ operationId }) => operationId)).toEqual([]);
  const named = keyed.filter(({ path }) => /\{\w*_id(_or_slug)?\}/.test(path));
  expect(named.filter(({ operationId }) => !compared.has(operationId)).map(({ path }) => path)).toEqual([]);
  expect(continued.size).toBeGreaterThan(7);
  expect(findings.comparisons).toBeGreaterThan(1_000);
});

test("ids of another team are answered as ids of nobody once what they named is erased", {
  timeout: 900_000,
}, async () => {
  const { comparisons } = strangers.findings;
  await strangers.askAgain();
  expect(strangers.findings.leaks).toEqual([]);
  expect(strangers.findings.comparisons - comparisons).toBeGreaterThan(500);
});
