// @module-tag share
import { afterAll, beforeAll, expect, test } from "vitest";
import { FaultExplorer, type ModeSelector } from "../../../../faults/fault-explorer.ts";
import { alternatingModes } from "../../../../faults/fault-modes.ts";
import { isDeep } from "../../../../support/depth.ts";
import { runShortStory } from "../../story/short-story.ts";
import { type StoryFixture, startStory } from "../../story/story-fixture.ts";

const LIMIT = { timeout: 480_000 };

let world: StoryFixture;
beforeAll(async () => {
  world = await startStory();
});
afterAll(() => world.stop());

/** The functions that the story has to call at least. In `npm test`, no others get faults. */
const passed = [
  "createUser",
  "ingestBatch",
  "storeBatch",
  "relayEvents",
  "deliverEvent",
  "attemptDelivery",
  "deleteUser",
];
const erasing = ["beginErasure", "endConsents", "eraseUser", "sweepEvents", "sweepDeliveries"];

/** Every sixtieth call of an invocation in `npm test`, each call in `npm run test:deep`. */
const sampledModes: ModeSelector = (operation, index, calls) =>
  isDeep || index % 60 === 1 ? alternatingModes(operation, index, calls) : [];

test("a fault at each call of every event and every erasure leaves nothing half done", LIMIT, async () => {
  const operations = [...passed, ...erasing];
  const explorer = new FaultExplorer(world.service, { modesAt: sampledModes, ...(!isDeep && { operations }) });
  await runShortStory(world);
  const { cases, nondeterministic, explored, findings } = explorer;
  explorer.stop();
  console.info(`${cases} single faults of ${explored.size} functions, ${nondeterministic} invocations unsteady`);
  expect([...explored.keys()]).toEqual(expect.arrayContaining(operations));
  expect(findings, JSON.stringify(findings)).toEqual([]);
  const types = world.receiver.received.map(({ body }) => body.event_type);
  expect(types.toSorted()).toContain("daily.data.heartrate.created");
  expect(types.toSorted()).toContain("labtest.order.created");
});
