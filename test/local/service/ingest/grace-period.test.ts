import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { BatchMessage } from "../../../../lib/domain/ingest/batch.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../../lib/domain/shared/durations.ts";
import { type Answer, TestService } from "../../../support/service.ts";
import { findFunctionName, findItemsContaining } from "../support/stored-items.ts";
import { pageSamples, readGroupedPage, sendBatch } from "./ingest-batch.ts";

let service: TestService;
beforeAll(async () => {
  service = await TestService.start();
});
afterAll(() => service.stop());

const START = "2026-05-01T08:00:00Z";
const remove = (userId: string) => service.call("DELETE", `/v2/user/${userId}`);
const undo = (userId: string) => service.call("POST", `/v2/user/undo_delete?user_id=${userId}`);
const receiptOf = (userId: string, id: string) => service.call("GET", `/v2/ingest/${userId}/${id}`);
const valuesOf = async (userId: string) =>
  pageSamples(await readGroupedPage(service, userId, "heartrate", { start_date: "2026-05-01" })).map(
    ({ value }) => value,
  );
const feedOf = async (userId: string) =>
  (await service.call("GET", "/v2/events?limit=500")).body.events.filter(
    ({ body }: Answer["body"]) => body?.user_id === userId && body.event_type.startsWith("daily.data."),
  );

/** Sends a message of the ingestion queue, as if it had waited there. */
function queueMessage(userId: string, receiptId: string, value: number): void {
  const samples = { heartrate: [{ start: Date.parse(START), end: Date.parse(START), value, offsetS: 0, type: null }] };
  const source = { provider: "oura", source_type: "ring", device_id: null, stage: "daily" };
  const batch = gzipSync(JSON.stringify({ ...source, samples, summaries: {}, streams: {} }));
  const message: BatchMessage = {
    team_id: service.identity.team_id,
    user_id: userId,
    receipt_id: receiptId,
    received_at: service.cloud.clock.now(),
    content: { inline: batch.toString("base64") },
  };
  const queue = service.cloud.queues.queues().find(({ name }) => /QueueingestionQueue/.test(name));
  service.cloud.queues.send(queue?.url ?? "", { body: JSON.stringify(message) });
}

test("a batch that was accepted before a deletion is stored in the grace period, and sent to nobody", async () => {
  const userId = await service.createUser("deleted too early");
  const stored = findFunctionName(service, "storeBatch");
  service.cloud.faults.add({ service: "dynamodb", function: stored, mode: "fail_before", every_attempt: true });
  const sent = await sendBatch(service, userId, { heartrate: [{ timestamp: START, value: 61 }] });
  await remove(userId);
  service.cloud.faults.clear();
  await service.advance(HOUR_MS);
  expect(await feedOf(userId)).toEqual([]);
  expect((await service.inbox()).filter(({ body }) => body.user_id === userId)).toEqual([]);
  expect((await undo(userId)).status).toBe(200);
  expect((await receiptOf(userId, sent.body.receipt_id)).body).toMatchObject({ status: "done", stored: 1 });
  expect(await valuesOf(userId)).toEqual([61]);
  expect(await feedOf(userId)).toHaveLength(1);
  await service.advance(HOUR_MS);
  expect((await service.inbox()).filter(({ body }) => body.user_id === userId)).toEqual([]);
});

test("a batch that comes shortly before an erasure waits, and an undo in time still finds it", async () => {
  const userId = await service.createUser("restored at the last moment");
  await remove(userId);
  await service.advance(7 * DAY_MS - 5 * MINUTE_MS);
  queueMessage(userId, "late", 62);
  await service.settle();
  expect((await undo(userId)).status).toBe(200);
  expect(await valuesOf(userId)).toEqual([]);
  await service.advance(16 * MINUTE_MS);
  expect(await valuesOf(userId)).toEqual([62]);
});

test("a batch that comes shortly before an erasure, or after it, leaves nothing of the user", async () => {
  const userId = await service.createUser("erased all the same");
  await remove(userId);
  await service.advance(7 * DAY_MS - HOUR_MS);
  queueMessage(userId, "hour", 63);
  await service.settle();
  expect((await findItemsContaining(service, userId)).filter((item) => item.includes(" chunk#"))).toHaveLength(1);
  await service.advance(HOUR_MS - 5 * MINUTE_MS);
  queueMessage(userId, "minutes", 64);
  await service.advance(6 * MINUTE_MS);
  queueMessage(userId, "after", 65);
  await service.advance(HOUR_MS);
  expect((await service.call("GET", `/v2/user/erasure/${userId}`)).body.scan.found).toBe(0);
  expect(await findItemsContaining(service, userId)).toEqual([]);
});
