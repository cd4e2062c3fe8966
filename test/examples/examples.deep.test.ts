// @module-tag deep
import { readFileSync, writeFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createOpenApiDocument } from "../../lib/openapi/document.ts";
import { type StoryFixture, startStory } from "../local/service/story/story-fixture.ts";
import { receiverStatus, runWholeStory } from "../local/service/story/whole-story.ts";
import { callEveryRead } from "./call-every-read.ts";
import { type DocumentedPaths, ExampleRecorder } from "./example-recorder.ts";
import { ExampleNeutralizer } from "./neutral-example.ts";

const FILE = "data/openapi/examples.json";
const paths = createOpenApiDocument().paths as DocumentedPaths;

let world: StoryFixture;
beforeAll(async () => {
  world = await startStory(receiverStatus);
});
afterAll(() => world.stop());

// `npm run openapi -- --examples` runs this test to write the file.
test("the running service answers every operation of the stored examples", { timeout: 1_500_000 }, async () => {
  const recorder = new ExampleRecorder(paths);
  const stop = recorder.watch(world.service);
  await callEveryRead(world.service, paths);
  await runWholeStory(world);
  stop();
  const neutralizer = new ExampleNeutralizer();
  const sorted = [...recorder.examples].toSorted(([a], [b]) => (a < b ? -1 : 1));
  const recorded = Object.fromEntries(sorted.map(([name, example]) => [name, neutralizer.neutralize(example)]));
  // One line for each operation.
  const lines = Object.entries(recorded).map((entry) => entry.map((part) => JSON.stringify(part)).join(": "));
  if (process.env.WRITE_EXAMPLES) writeFileSync(FILE, `{\n${lines.join(",\n")}\n}\n`);
  const stored: Record<string, object> = JSON.parse(readFileSync(FILE, "utf8"));
  expect(Object.keys(stored).filter((name) => !(name in recorded))).toEqual([]);
  expect(Object.keys(recorded).length).toBeGreaterThan(200);
});
