import { DeleteCommand, ScanCommand } from "@aws-sdk/lib-dynamodb";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { TestService } from "../../../support/service.ts";
import { createHeartRates, ingestBatch, sendBatch } from "../ingest/ingest-batch.ts";
import { createEngineClient } from "../support/stored-items.ts";
import { DeliveryRecords } from "./delivery-records.ts";
import { createTeamWithReceiver, Receiver, type ReceiverBehavior } from "./webhook-receiver.ts";

const MINUTE_MS = 60_000;
const [FIRST, SECOND] = createHeartRates("2026-05-01T08:00:00Z", 2);
const DAY = { calendar_date: "2026-05-01" };

let service: TestService;
let records: DeliveryRecords;
const receivers: Receiver[] = [];
beforeAll(async () => {
  service = await TestService.start();
  records = new DeliveryRecords(service);
});
afterEach(() => Promise.all(receivers.splice(0).map((receiver) => receiver.stop())));
afterAll(() => {
  records.stop();
  return service.stop();
});

async function receive(behave: ReceiverBehavior) {
  const receiver = await Receiver.start(service, behave);
  receivers.push(receiver);
  const key = await createTeamWithReceiver(service, receiver);
  const userId = await service.createUser("the user", key);
  return { receiver, key, userId, endpoint: await records.endpoint(userId, key) };
}

const ids = ({ received }: Receiver) => received.map(({ headers }) => headers["webhook-id"]);
const versions = ({ received }: Receiver) => received.map(({ headers }) => Number(headers["webhook-version"]));
const rates = ({ received }: Receiver) =>
  received.map(({ body }) => body.data.data.map(({ value }: { value: number }) => value));

test("deliveries of one ordering key are sent one at a time and completely, and other data does not wait for them", async () => {
  const gate = Promise.withResolvers<void>();
  let underWay = 0;
  let most = 0;
  const { receiver, key, userId, endpoint } = await receive(async (_, { event_type }) => {
    if (event_type !== "daily.data.heartrate.created") return 204;
    most = Math.max(most, ++underWay);
    await gate.promise;
    underWay--;
    return 204;
  });
  for (const minute of ["10", "20", "30"])
    await sendBatch(service, userId, { heartrate: createHeartRates(`2026-05-01T08:${minute}:00Z`, 1) }, { key });
  await vi.waitFor(async () => expect(await records.waiting(endpoint, userId)).toHaveLength(2), { timeout: 60_000 });
  await sendBatch(service, userId, { activity: [DAY] }, { key });
  await vi.waitFor(() => expect(receiver.received.length).toBe(2), { timeout: 60_000 });
  gate.resolve();
  await service.settle();
  expect(most).toBe(1);
  expect(new Set(ids(receiver)).size).toBe(4);
});

test("a retry of a summary sends the newest version under its own id and type", { tags: "deep" }, async () => {
  const { receiver, key, userId } = await receive((count) => (count === 1 ? 500 : 204));
  await ingestBatch(service, userId, { activity: [{ ...DAY, steps: 1 }] }, { key });
  await ingestBatch(service, userId, { activity: [{ ...DAY, steps: 2 }] }, { key });
  await ingestBatch(service, userId, { activity: [{ ...DAY, steps: 3 }] }, { key });
  await service.advance(10_000);
  const [created, second, third, retried, ...more] = receiver.received;
  expect(more).toEqual([]);
  expect([created, second, third, retried].map((one) => one?.body.data.steps)).toEqual([1, 2, 3, 3]);
  expect(retried?.headers["webhook-id"]).toBe(created?.headers["webhook-id"]);
  expect(retried?.body).toEqual({ ...third?.body, event_type: "daily.data.activity.created" });
});

test("a retry of samples sends their current values", { tags: "deep" }, async () => {
  const { receiver, key, userId } = await receive((count) => (count === 1 ? 500 : 204));
  await ingestBatch(service, userId, { heartrate: [FIRST, SECOND] }, { key });
  await ingestBatch(service, userId, { heartrate: [{ ...SECOND, value: 199 }] }, { key });
  await service.advance(10_000);
  expect(rates(receiver)).toEqual([[50, 51], [199], [50, 199]]);
  expect(ids(receiver)[2]).toBe(ids(receiver)[0]);
});

test("a retry of samples sends the current values of their own device", { tags: "deep" }, async () => {
  const { receiver, key, userId } = await receive((count) => (count === 1 ? 500 : 204));
  const [a, b] = ["a", "b"].map((id) => ({ key, device: { id } }));
  await ingestBatch(service, userId, { heartrate: [FIRST, SECOND] }, a);
  await ingestBatch(service, userId, { heartrate: [{ ...FIRST, value: 90 }] }, b);
  await ingestBatch(service, userId, { heartrate: [{ ...SECOND, value: 199 }] }, a);
  await service.advance(10_000);
  expect(rates(receiver)).toEqual([[50, 51], [90], [199], [50, 199]]);
  expect(receiver.received.map(({ body }) => body.data.source.device_id)).toEqual(["a", "b", "a", "a"]);
});

test("samples of different sub-types at one instant stay distinct", async () => {
  const { receiver, key, userId } = await receive((count) => (count === 1 ? 500 : 204));
  const timestamp = "2026-05-01T08:00:00Z";
  const ldl = { timestamp, type: "ldl", value: 2.5, unit: "mmol/L" };
  const hdl = { timestamp, type: "hdl", value: 1.5, unit: "mmol/L" };
  await ingestBatch(service, userId, { cholesterol: [ldl, hdl] }, { key });
  await ingestBatch(service, userId, { cholesterol: [{ ...hdl, value: 1.6 }] }, { key });
  await service.advance(10_000);
  const samples = receiver.received.at(-1)?.body.data.data;
  const byType = Object.fromEntries(samples.map(({ type, value }: { type: string; value: number }) => [type, value]));
  expect(byType).toEqual({ ldl: 2.5, hdl: 1.6 });
});

test("deleted samples are omitted, and a delivery whose samples are all deleted is cancelled", async () => {
  const { receiver, key, userId, endpoint } = await receive(() => 500);
  const other = { timestamp: "2026-05-02T08:00:00Z", value: 80 };
  const partly = await ingestBatch(service, userId, { heartrate: [FIRST, other] }, { key });
  const wholly = await ingestBatch(service, userId, { heartrate: [SECOND] }, { key });
  await eraseChunk(userId, "2026-05-01T08:00");
  await service.advance(10_000);
  expect(rates(receiver)).toEqual([[50, 80], [51], [80]]);
  const cancelled = await records.delivery(endpoint, userId, wholly.event_ids[0]);
  expect(cancelled).toMatchObject({ state: "cancelled", reason: "nothing_to_send" });
  expect((await records.delivery(endpoint, userId, partly.event_ids[0])).state).toBe("pending");
});

async function eraseChunk(userId: string, bucket: string): Promise<void> {
  const client = createEngineClient(service);
  const TableName = process.env.TABLE_SAMPLES;
  const { Items = [] } = await client.send(new ScanCommand({ TableName }));
  const found = Items.filter(({ pk, sk }) => pk.includes(userId) && sk.startsWith(bucket));
  expect(found).toHaveLength(1);
  for (const { pk, sk } of found) await client.send(new DeleteCommand({ TableName, Key: { pk, sk } }));
  client.destroy();
}

test("after an attempt of unknown outcome nothing that it could overwrite is sent for a minute", {
  tags: "deep",
}, async () => {
  const { receiver, key, userId, endpoint } = await receive((count) => (count === 1 ? "reset" : 204));
  const { event_ids } = await ingestBatch(service, userId, { heartrate: [FIRST] }, { key });
  await ingestBatch(service, userId, { heartrate: [{ ...FIRST, value: 60 }] }, { key });
  await ingestBatch(service, userId, { activity: [DAY] }, { key });
  await service.advance(55_000);
  expect(receiver.received.map(({ body }) => body.event_type)).toEqual([
    "daily.data.heartrate.created",
    "daily.data.activity.created",
  ]);
  await service.advance(20_000);
  const sent = receiver.received.slice(2).map(({ body }) => [body.event_type, body.data.data[0].value]);
  expect(sent.sort()).toEqual([
    ["daily.data.heartrate.created", 60],
    ["daily.data.heartrate.updated", 60],
  ]);
  const { attempts } = await records.delivery(endpoint, userId, event_ids[0]);
  expect(attempts.map(({ status, error }) => [status, error])).toEqual([
    [0, "broken"],
    [204, null],
  ]);
});

test("deliveries that were queued when an attempt ended with unknown outcome are sent after its quarantine", {
  tags: "deep",
}, async () => {
  const gate = Promise.withResolvers<void>();
  const { receiver, key, userId, endpoint } = await receive(async (count) => {
    if (count > 1) return 204;
    await gate.promise;
    return "reset";
  });
  await sendBatch(service, userId, { heartrate: [FIRST] }, { key });
  await vi.waitFor(() => expect(receiver.received.length).toBe(1), { timeout: 60_000 });
  await sendBatch(service, userId, { heartrate: [SECOND] }, { key });
  await vi.waitFor(async () => expect(await records.waiting(endpoint, userId)).toHaveLength(1), { timeout: 60_000 });
  gate.resolve();
  await service.settle();
  await service.advance(55_000);
  expect(receiver.received).toHaveLength(1);
  await service.advance(20_000);
  expect(rates(receiver).sort()).toEqual([[50], [50], [51]]);
});

test("a definite failure delays no other delivery", async () => {
  const { receiver, key, userId } = await receive((count) => (count === 1 ? 500 : 204));
  await ingestBatch(service, userId, { heartrate: [FIRST] }, { key });
  await ingestBatch(service, userId, { heartrate: [SECOND] }, { key });
  expect(rates(receiver)).toEqual([[50], [51]]);
});

test("the version header grows with every attempt of a key, in both header families", { tags: "deep" }, async () => {
  const { receiver, key, userId } = await receive((count) => (count <= 2 ? 500 : 204));
  await ingestBatch(service, userId, { heartrate: [FIRST] }, { key });
  await ingestBatch(service, userId, { heartrate: [{ ...FIRST, value: 60 }] }, { key });
  await ingestBatch(service, userId, { heartrate: [{ ...FIRST, value: 70 }] }, { key });
  await service.advance(6 * MINUTE_MS);
  const seen = versions(receiver);
  expect(seen).toHaveLength(5);
  expect(seen).toEqual([...new Set(seen)].sort((a, b) => a - b));
  expect(receiver.received.map(({ headers }) => Number(headers["svix-version"]))).toEqual(seen);
});
