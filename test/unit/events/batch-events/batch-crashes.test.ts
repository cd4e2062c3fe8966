import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { NewEvent } from "../../../../lib/events/constructors/compose-event.ts";
import { removeFromFeed } from "../../../../lib/services/events/remove-from-feed.ts";
import { finishBatch } from "../../../../lib/services/ingest/finish-batch.ts";
import { SeededRandom } from "../../support/seeded-random.ts";
import { createTestEvent } from "../create-test-event.ts";
import { type PlannedBatch, planTeam } from "./batch-plan.ts";
import { BatchStage } from "./batch-stage.ts";

const NOW_MS = Date.parse("2026-03-01T12:00:00.000Z");
const REPEATED_AFTER_MS = 70_000;

let stage: BatchStage;
beforeAll(async () => {
  stage = await BatchStage.open();
});
beforeEach(async () => {
  await stage.clear();
  stage.gate.reset(new SeededRandom(1), NOW_MS);
});
afterAll(() => stage.close());

const { scope, users, batches } = planTeam(new SeededRandom(1), NOW_MS);
const [user, other] = users.map(({ user_id }) => user_id) as [string, string];
const template = batches[0] as PlannedBatch;

/** A batch of a user with these numbers of events. */
function batchOf(userId: string, places: readonly number[]): PlannedBatch {
  const events = places.map((place): NewEvent => createTestEvent(scope.teamId, userId, place, 0));
  const receiptId = `${template.context.receiptId.slice(0, 9)}${String(places[0]).padStart(16, "0")}`;
  return {
    ...template,
    context: { ...template.context, user: { ...template.context.user, user_id: userId }, receiptId },
    results: [{ created: 3, updated: 0, unchanged: 0, refused: [], grewBytes: 40, events }],
    message: { ...template.message, user_id: userId, receipt_id: receiptId },
  };
}

const range = (count: number, from = 0) => Array.from({ length: count }, (_, place) => from + place);
const eventIds = ({ results }: PlannedBatch) =>
  results.flatMap(({ events }) => events.map((one) => one.reference.event_id));

async function open({ context, message }: PlannedBatch): Promise<void> {
  const opened = new Date(NOW_MS).toISOString();
  await stage.stores().receipts.open(scope, context.user.user_id, message.receipt_id, [], opened);
}

const finish = ({ context, results, message }: PlannedBatch) =>
  finishBatch(stage.stores(), context, results, { message, isRedelivered: false });

async function store(batch: PlannedBatch): Promise<void> {
  await open(batch);
  await finish(batch);
}

async function listed(): Promise<string[]> {
  const read = await Array.fromAsync(stage.stores().eventFeed.read(scope, 0, stage.gate.nowMs));
  expect(read.map(({ sequence }) => sequence)).toEqual(range(read.length, 1));
  return read.map(({ event_id }) => event_id);
}

async function erase(userId: string): Promise<void> {
  const { outbox, eventFeed, receipts } = stage.stores();
  await outbox.eraseUser(scope, userId, (events) => removeFromFeed({ eventFeed, receipts }, scope, userId, events));
  await receipts.eraseUser(scope, userId);
}

/** Finishes a batch. The answer of its append to the feed never arrives. */
async function finishWithoutAnswer(batch: PlannedBatch): Promise<void> {
  let lost = 0;
  stage.onAccepted = ({ operation, input }) => {
    if (operation !== "UpdateItem" || !input.Key?.pk?.S?.startsWith("feed#last#")) return;
    lost++;
    throw Object.assign(new Error("read ECONNRESET"), { code: "ECONNRESET" });
  };
  await expect(finish(batch)).rejects.toThrow("outcome of a write is unknown");
  stage.onAccepted = () => {};
  expect(lost).toBe(1);
}

describe("a batch whose append to the feed got no answer", () => {
  const first = batchOf(other, [100]);
  const batch = batchOf(user, [0, 1, 2]);

  test("does not append again, neither at once nor when it is repeated", async () => {
    await store(first);
    await open(batch);
    await finishWithoutAnswer(batch);
    const expected = [...eventIds(first), ...eventIds(batch)];
    expect(await listed()).toEqual(expected);
    stage.gate.nowMs += REPEATED_AFTER_MS;
    await finish(batch);
    await stage.sweep();
    expect(await listed()).toEqual(expected);
    const { receipts } = stage.stores();
    expect((await receipts.get(scope, user, batch.message.receipt_id))?.status).toBe("done");
  });

  test("leaves no name in the feed when its user is erased before the sweeper came", async () => {
    await store(first);
    await open(batch);
    await finishWithoutAnswer(batch);
    stage.gate.nowMs += REPEATED_AFTER_MS;
    // The end of the feed moves to a page.
    await store(batchOf(other, range(8, 200)));
    await store(batchOf(other, [300]));
    await finish(batch);
    const before = await listed();
    await erase(user);
    await stage.sweep();
    expect(await listed()).toEqual(before);
    expect(JSON.stringify(await stage.readItems())).not.toContain(user);
  });
});

describe("a batch with many events", () => {
  test.each([
    ["at the end of the feed", []],
    ["in a page", [[900], [901]]],
  ])("is erased from %s", { tags: "deep" }, async (_, later) => {
    await store(batchOf(user, range(250)));
    for (const places of later) await store(batchOf(other, places));
    const before = await listed();
    await erase(user);
    expect(await listed()).toEqual(before);
    expect(JSON.stringify(await stage.readItems())).not.toContain(user);
  });

  test("appends as many as an item takes, and the sweeper the others", { tags: "deep" }, async () => {
    const batch = batchOf(user, range(2_010));
    await store(batch);
    const { receipts } = stage.stores();
    expect((await receipts.get(scope, user, batch.message.receipt_id))?.event_ids).toHaveLength(2_010);
    expect(await listed()).toEqual(eventIds(batch).slice(0, 2_000));
    stage.gate.nowMs += REPEATED_AFTER_MS;
    await stage.sweep();
    expect((await listed()).sort()).toEqual(eventIds(batch).sort());
  });
});

test("the sweeper waits until no function can run whose clock is five seconds behind", { tags: "deep" }, async () => {
  const batch = batchOf(user, [0]);
  stage.bus.isRefused = () => true;
  await store(batch);
  stage.bus.isRefused = () => false;
  stage.gate.nowMs = NOW_MS + 64_999;
  await stage.sweep();
  expect(await listed()).toEqual([]);
  stage.gate.nowMs++;
  await stage.sweep();
  expect(await listed()).toEqual(eventIds(batch));
});
