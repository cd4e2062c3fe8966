import { afterAll, beforeAll, expect, test } from "vitest";
import { oneMode } from "../../faults/choices.ts";
import { Explorer } from "../../faults/explorer.ts";
import { heartRates, push } from "./pushing.ts";
import { teamWith } from "./receiver.ts";
import { type StoryWorld, storyWorld } from "./story-world.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
const LIMIT = { timeout: 480_000 };

let world: StoryWorld;
beforeAll(async () => {
  world = await storyWorld();
});
afterAll(() => world.stop());

/** Runs one user from creation to erasure, through the functions of every event and every erasure. */
async function shortStory({ service, receiver, forget }: StoryWorld): Promise<void> {
  const key = await teamWith(service, receiver);
  const ask = async (method: string, path: string, body?: object) => {
    await forget();
    const answer = await service.call(method, path, { key, ...(body && { body }) });
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  const { user_id } = await ask("POST", "/v2/user", { client_user_id: "someone" });
  await ask("PATCH", `/v2/user/${user_id}`, { client_user_id: "somebody" });
  await push(service, user_id, { heartrate: heartRates("2026-05-01T08:00:00Z", 2) }, { key });
  await ask("GET", `/v2/timeseries/${user_id}/heartrate/grouped?start_date=2026-05-01`);
  await ask("DELETE", `/v2/user/${user_id}`);
  await service.advance(8 * DAY_MS);
  await ask("GET", `/v2/user/erasure/${user_id}`);
}

/** The functions that the story has to call at least. */
const passed = [
  "createUser",
  "ingestBatch",
  "storeBatch",
  "relayEvents",
  "planDeliveries",
  "attemptDelivery",
  "deleteUser",
];
const erasing = ["beginErasure", "endConsents", "eraseUser", "sweepEvents", "sweepDeliveries"];

test("a fault at each call of every event and every erasure leaves nothing half done", LIMIT, async () => {
  const explorer = new Explorer(world.service, oneMode);
  await shortStory(world);
  const { cases, unsteady, explored, findings } = explorer;
  explorer.end();
  console.info(`${cases} single faults of ${explored.size} functions, ${unsteady} invocations unsteady`);
  expect([...explored.keys()]).toEqual(expect.arrayContaining([...passed, ...erasing]));
  expect(findings, JSON.stringify(findings)).toEqual([]);
  expect(world.receiver.received).toHaveLength(1);
});
