import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import type { EventReference } from "../../../../lib/events/catalogue/envelope.ts";
import { MAX_FIRST_TURNS } from "../../../../lib/services/webhooks/deliver-events.ts";
import { TestService } from "../../../support/service.ts";
import { createHeartRates, ingestBatch, sendBatch } from "../ingest/ingest-batch.ts";
import { findFunctionName } from "../support/stored-items.ts";
import { DeliveryRecords } from "./delivery-records.ts";
import { createTeamWithReceiver, Receiver, type ReceiverBehavior } from "./webhook-receiver.ts";

const RATES = { heartrate: createHeartRates("2026-05-01T08:00:00Z", 1) };
/** Visibility timeout of the queue, and time for the attempts that follow. */
const REDELIVERED_MS = 5 * 60_000;

let service: TestService;
let records: DeliveryRecords;
const receivers: Receiver[] = [];
beforeAll(async () => {
  service = await TestService.start();
  records = new DeliveryRecords(service);
});
afterEach(async () => {
  service.cloud.faults.clear();
  await Promise.all(receivers.splice(0).map((receiver) => receiver.stop()));
});
afterAll(() => {
  records.stop();
  return service.stop();
});

async function receive(behave?: ReceiverBehavior) {
  const receiver = await Receiver.start(service, behave);
  receivers.push(receiver);
  const key = await createTeamWithReceiver(service, receiver);
  const userId = await service.createUser("the user", key);
  const endpoint = await records.endpoint(userId, key);
  const path = `/v1/org/${service.identity.org_id}/team/${endpoint.team_id}/sandbox/webhook`;
  return { receiver, key, userId, endpoint, path };
}

/** Sends messages with an event to the queue that the bus feeds. */
function repeat(event: EventReference, copies = 1): void {
  const queue = service.cloud.queues.queues().find(({ name }) => /Queuewebhooks(?!Dead)/.test(name));
  for (let copy = 0; copy < copies; copy++)
    service.cloud.queues.send(queue?.url ?? "", { body: JSON.stringify(event) });
}

/** Counts the requests of a function since the last reset of the meter, by name. */
async function requestsOf(operation: string): Promise<number> {
  const { body } = await service.call("GET", "/_local/meter");
  return body.functions[findFunctionName(service, operation)]?.total.requests ?? 0;
}

/** Lets all calls of the consumer to the tables fail from now on. */
const breakConsumer = () =>
  service.cloud.faults.add({
    ...{ service: "dynamodb", mode: "fail_before" },
    function: findFunctionName(service, "deliverEvent"),
  });

test("a first attempt that succeeds needs neither the attempt queue nor its function, and is stored with its message", async () => {
  const { receiver, key, userId, endpoint, path } = await receive();
  await service.call("DELETE", "/_local/meter");
  const { event_ids } = await ingestBatch(service, userId, RATES, { key });
  expect(receiver.received).toHaveLength(1);
  expect(await requestsOf("attemptDelivery")).toBe(0);
  const delivery = await records.delivery(endpoint, userId, event_ids[0]);
  expect(delivery).toMatchObject({ state: "delivered", attempts: [{ status: 204 }] });
  const { data } = (await service.manage("GET", `${path}/${endpoint.endpoint_id}/message`)).body;
  expect(data).toMatchObject([{ event_id: event_ids[0], state: "delivered", attempt_count: 1 }]);
});

test("a first attempt that fails is followed by the second one after 5 seconds", async () => {
  const { receiver, key, userId, endpoint } = await receive((count) => (count === 1 ? 500 : 204));
  const { event_ids } = await ingestBatch(service, userId, RATES, { key });
  const pending = await records.delivery(endpoint, userId, event_ids[0]);
  expect(pending).toMatchObject({ state: "pending", attempts: [{ status: 500 }] });
  const delayMs = Date.parse(pending.next_attempt_at) - Date.parse(pending.attempts[0]?.at ?? "");
  expect([delayMs >= 5_000, delayMs < 6_000]).toEqual([true, true]);
  await service.advance(6_000);
  expect(receiver.received.map(({ headers }) => headers["webhook-id"])).toEqual([event_ids[0], event_ids[0]]);
  const { state, attempts } = await records.delivery(endpoint, userId, event_ids[0]);
  expect([state, attempts.map(({ status }) => status)]).toEqual(["delivered", [500, 204]]);
});

test("a crash between the attempt and its record repeats the attempt, with a greater version", {
  tags: "deep",
}, async () => {
  const { receiver, key, userId, endpoint } = await receive((count) => {
    if (count === 1) breakConsumer();
    return 204;
  });
  const { event_ids } = await ingestBatch(service, userId, RATES, { key });
  await expect(records.delivery(endpoint, userId, event_ids[0])).rejects.toThrow("no delivery");
  service.cloud.faults.clear();
  await service.advance(REDELIVERED_MS);
  const [first, second, ...more] = receiver.received;
  expect(more).toEqual([]);
  expect(second?.text).toBe(first?.text);
  expect(second?.headers["webhook-id"]).toBe(first?.headers["webhook-id"]);
  expect(Number(second?.headers["webhook-version"])).toBeGreaterThan(Number(first?.headers["webhook-version"]));
  const delivery = await records.delivery(endpoint, userId, event_ids[0]);
  expect(delivery).toMatchObject({ state: "delivered", attempts: [{ status: 204 }] });
});

test("a message that comes again leads to no request, and a redelivered one only to those that are missing", {
  tags: "deep",
}, async () => {
  const { receiver, key, userId, endpoint, path } = await receive();
  const { event_ids } = await ingestBatch(service, userId, RATES, { key });
  const { event } = await records.delivery(endpoint, userId, event_ids[0]);
  repeat(event, 5);
  await service.settle();
  expect(receiver.received).toHaveLength(1);
  const late = await Receiver.start(service, (count) => {
    if (count === 1) breakConsumer();
    return 204;
  });
  receivers.push(late);
  await service.manage("POST", path, { body: { url: late.url } });
  const { event_ids: others } = await ingestBatch(
    service,
    userId,
    { activity: [{ calendar_date: "2026-05-01" }] },
    { key },
  );
  service.cloud.faults.clear();
  await service.advance(REDELIVERED_MS);
  const ids = (of: Receiver) => new Set(of.received.map(({ headers }) => headers["webhook-id"]));
  expect([ids(receiver), ids(late)]).toEqual([new Set([event_ids[0], others[0]]), new Set(others)]);
  const list = `${path}/${endpoint.endpoint_id}/message`;
  expect((await service.manage("GET", list)).body.data).toMatchObject([{ state: "delivered" }, { state: "delivered" }]);
});

test("concurrent copies of a message lead to one request, also while the first attempt is open", {
  tags: "deep",
}, async () => {
  const gate = Promise.withResolvers<void>();
  const { receiver, key, userId, endpoint } = await receive(async () => {
    await gate.promise;
    return 204;
  });
  await sendBatch(service, userId, RATES, { key });
  await vi.waitFor(() => expect(receiver.received).toHaveLength(1), { timeout: 60_000 });
  const [{ headers, body }] = receiver.received as [(typeof receiver.received)[0]];
  const event_id = String(headers["webhook-id"]);
  const order_key = `${userId}#heartrate#apple_health_kit#watch`;
  repeat(
    { event_id, team_id: body.team_id, user_id: userId, type: body.event_type, key: event_id, version: 1, order_key },
    12,
  );
  await vi.waitFor(async () => expect(await records.waiting(endpoint, userId)).toEqual([event_id]), {
    timeout: 20_000,
  });
  gate.resolve();
  await service.settle();
  await service.advance(REDELIVERED_MS);
  expect(receiver.received).toHaveLength(1);
  const delivery = await records.delivery(endpoint, userId, event_id);
  expect(delivery).toMatchObject({ state: "delivered", attempts: [{ status: 204 }] });
});

test("an endpoint that is disabled before its event comes again receives nothing more", { tags: "deep" }, async () => {
  const { receiver, key, userId, endpoint, path } = await receive((count) => {
    if (count === 1) breakConsumer();
    return 204;
  });
  const { event_ids } = await ingestBatch(service, userId, RATES, { key });
  service.cloud.faults.clear();
  await service.manage("PATCH", `${path}/${endpoint.endpoint_id}`, { body: { disabled: true } });
  await service.advance(REDELIVERED_MS);
  await ingestBatch(service, userId, { activity: [{ calendar_date: "2026-05-01" }] }, { key });
  expect(receiver.received.map(({ headers }) => headers["webhook-id"])).toEqual(event_ids);
});

test("an event for more endpoints than one invocation attempts reaches each of them once", {
  tags: "deep",
}, async () => {
  const { receiver, key, userId, path } = await receive();
  const COUNT = MAX_FIRST_TURNS + 2;
  for (let index = 1; index < COUNT; index++) {
    expect((await service.manage("POST", path, { body: { url: `${receiver.url}/${index}` } })).status).toBe(201);
  }
  await service.call("DELETE", "/_local/meter");
  const { event_ids } = await ingestBatch(service, userId, RATES, { key });
  expect(receiver.received.map(({ headers }) => headers["webhook-id"])).toEqual(Array(COUNT).fill(event_ids[0]));
  expect(await requestsOf("attemptDelivery")).toBeGreaterThan(0);
  const endpoints: { id: string }[] = (await service.manage("GET", path)).body.data;
  for (const { id } of endpoints) {
    const { data } = (await service.manage("GET", `${path}/${id}/message`)).body;
    expect(data).toMatchObject([{ state: "delivered", attempt_count: 1 }]);
  }
});

test("an endpoint that takes its time delays no other endpoint's first attempt", async () => {
  const gate = Promise.withResolvers<void>();
  const { key, userId, path } = await receive(async () => {
    await gate.promise;
    return 204;
  });
  const quick = await Receiver.start(service);
  receivers.push(quick);
  await service.manage("POST", path, { body: { url: quick.url } });
  await sendBatch(service, userId, RATES, { key });
  await vi.waitFor(() => expect(quick.received).toHaveLength(1), { timeout: 60_000 });
  gate.resolve();
  await service.settle();
});
