import { PutCommand } from "@aws-sdk/lib-dynamodb";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { checkEvent } from "../../../../lib/events/catalogue/check-event.ts";
import { composeTeamEvent } from "../../../../lib/events/constructors/compose-event.ts";
import { OutboxStore } from "../../../../lib/store/events/outbox.ts";
import { Table } from "../../../../lib/store/table.ts";
import { TestService } from "../../../support/service.ts";
import { createHeartRates, ingestBatch, sendBatch } from "../ingest/ingest-batch.ts";
import { createEngineClient, findFunctionName } from "../support/stored-items.ts";
import { createTeamWithReceiver, Receiver, type ReceiverBehavior } from "./webhook-receiver.ts";

const HOUR_MS = 3_600_000;
const RATES = { heartrate: createHeartRates("2026-05-01T08:00:00Z", 1) };

/** Data of a review event, except its id. */
const review = {
  status: "pending_customer_review",
  decision_code: "no_match",
  sub_reason_codes: [],
  resolution_action: null,
  resolved_user_id: null,
  resolved_order_id: null,
};

let service: TestService;
const receivers: Receiver[] = [];
beforeAll(async () => {
  service = await TestService.start();
});
afterEach(async () => {
  service.cloud.faults.clear();
  await Promise.all(receivers.splice(0).map((receiver) => receiver.stop()));
});
afterAll(() => service.stop());

async function receive(behave: ReceiverBehavior, about?: object) {
  const receiver = await Receiver.start(service, behave);
  receivers.push(receiver);
  const key = await createTeamWithReceiver(service, receiver, about);
  return { receiver, key, userId: await service.createUser("the user", key) };
}

/** Returns the seconds between the requests. */
function gaps({ received }: Receiver): number[] {
  return received.slice(1).map(({ at }, index) => (at - (received[index]?.at ?? 0)) / 1000);
}

/** Seconds between attempts by the schedule, with 20% jitter, plus the time from due date to sweep. */
const SCHEDULE_S = [5, 300, 1_800, 7_200, 18_000, 36_000, 36_000];
const isOnSchedule = (gapS: number, index: number) => {
  const planned = SCHEDULE_S[index] ?? 0;
  return gapS >= planned * 0.8 && gapS <= planned * 1.2 + 61;
};

test("a delivery that always fails is attempted eight times on the schedule with the same message, and is then exhausted", {
  tags: "deep",
}, async () => {
  const { receiver, key, userId } = await receive((_, { event_type }) => (event_type.startsWith("daily.") ? 500 : 204));
  await ingestBatch(service, userId, RATES, { key });
  await service.advance(40 * HOUR_MS);
  const notice = receiver.received.pop();
  expect(notice?.body.event_type).toBe("message.attempt.exhausted");
  expect(receiver.received).toHaveLength(8);
  expect(gaps(receiver).map(isOnSchedule)).toEqual(SCHEDULE_S.map(() => true));
  expect(new Set(receiver.received.map(({ headers }) => headers["webhook-id"])).size).toBe(1);
  expect(new Set(receiver.received.map(({ text }) => text)).size).toBe(1);
  expect(new Set(receiver.received.map(({ headers }) => headers["webhook-timestamp"])).size).toBe(8);
});

test("an exhausted delivery sends an event that names message, endpoint and last status", {
  tags: "deep",
}, async () => {
  const { receiver, key, userId } = await receive((_, { event_type }) => (event_type.startsWith("daily.") ? 503 : 204));
  const { event_ids } = await ingestBatch(service, userId, RATES, { key });
  await service.advance(40 * HOUR_MS);
  const last = receiver.received.find(({ body }) => body.event_type === "message.attempt.exhausted");
  expect(JSON.stringify(last?.body.data ?? null)).toContain(event_ids[0]);
  expect(JSON.stringify(last?.body.data ?? null)).toContain("503");
});

test("an exhausted delivery of a team event sends an event without a user", { tags: "deep" }, async () => {
  const { receiver, key, userId } = await receive((_, { event_type }) =>
    event_type.startsWith("labtest.") ? 503 : 204,
  );
  const { team_id } = (await service.call("GET", `/v2/user/${userId}`, { key })).body;
  const client = createEngineClient(service);
  const outbox = new OutboxStore(new Table(client, process.env.TABLE_EVENTS ?? ""), checkEvent);
  const payload = { ...review, id: userId };
  const event = composeTeamEvent(team_id, "labtest.match_review.created", payload.id, 1, payload);
  await outbox.append(event, new Date(service.cloud.clock.now()).toISOString());
  await service.advance(40 * HOUR_MS);
  client.destroy();
  const [notice, ...others] = receiver.received.filter(({ body }) => body.event_type === "message.attempt.exhausted");
  expect([notice?.body, others]).toEqual([
    {
      event_type: "message.attempt.exhausted",
      team_id,
      data: { message_id: event.reference.event_id, endpoint_id: expect.any(String), last_status: 503 },
    },
    [],
  ]);
  const feed = (await service.call("GET", "/v2/events", { key })).body.events;
  expect(feed.map(({ body }: { body: object }) => body)).toEqual([event.body, notice?.body]);
});

test("a delivery ends with its first success", async () => {
  const { receiver, key, userId } = await receive((count) => (count < 4 ? 500 : 200));
  await ingestBatch(service, userId, RATES, { key });
  await service.advance(40 * HOUR_MS);
  expect(receiver.received).toHaveLength(4);
  expect(gaps(receiver).every(isOnSchedule)).toBe(true);
});

test.each([301, 302, 307, 308, 400, 404, 500])(
  "status %i is a failure and is not followed",
  { tags: "deep" },
  async (status) => {
    const { receiver, key, userId } = await receive((count) => (count === 1 ? status : 200));
    await ingestBatch(service, userId, RATES, { key });
    await service.advance(10_000);
    expect(receiver.received).toHaveLength(2);
  },
);

test("a delivery to an unreachable receiver is retried", { tags: "deep" }, async () => {
  const { receiver, key, userId } = await receive(() => 200);
  const { url } = receiver;
  await receiver.stop();
  receivers.length = 0;
  await ingestBatch(service, userId, RATES, { key });
  const { body } = await service.call("GET", "/_local/resources");
  expect(url).toContain("127.0.0.1");
  expect(body.queues.reduce((total: number, { delayed }: { delayed: number }) => total + delayed, 0)).toBe(1);
  await service.advance(40 * HOUR_MS);
});

test("a receiver that does not respond within 15 s fails, and gets no request for a minute", {
  tags: "deep",
}, async () => {
  const { receiver, key, userId } = await receive((count) => (count === 1 ? "never" : 200));
  await ingestBatch(service, userId, RATES, { key });
  await service.advance(50_000);
  expect(receiver.received).toHaveLength(1);
  await service.advance(20_000);
  expect(receiver.received).toHaveLength(2);
});

test("a failing endpoint does not delay another", async () => {
  const bad = await receive(() => 500);
  const good = await receive(() => 200);
  await ingestBatch(service, bad.userId, RATES, { key: bad.key });
  await ingestBatch(service, good.userId, RATES, { key: good.key });
  expect(good.receiver.received).toHaveLength(1);
});

test("the sweeper publishes events that the relay could not publish", { tags: "deep" }, async () => {
  const { receiver, key, userId } = await receive(() => 200, { filter_types: ["provider.connection.created"] });
  const relay = findFunctionName(service, "relayEvents");
  service.cloud.faults.add({ service: "events", function: relay, mode: "fail_before" });
  const body = { user_id: userId, provider: "freestyle_libre" };
  await service.call("POST", "/v2/link/connect/demo", { key, body });
  await service.settle();
  expect(receiver.received).toEqual([]);
  await service.advance(3 * 60_000);
  expect(receiver.received).toHaveLength(1);
});

test("the sweeper publishes events that their batch could not publish, and the feed has each once", {
  tags: "deep",
}, async () => {
  const { receiver, key, userId } = await receive(() => 200);
  const store = findFunctionName(service, "storeBatch");
  service.cloud.faults.add({ service: "events", function: store, mode: "fail_before" });
  const { event_ids } = await ingestBatch(service, userId, RATES, { key });
  expect(receiver.received).toEqual([]);
  await service.advance(3 * 60_000);
  expect(receiver.received).toHaveLength(1);
  const { body } = await service.call("GET", "/v2/events", { key });
  expect(body.events.map(({ event_id }: { event_id: string }) => event_id)).toEqual(event_ids);
});

test("lost responses of the event bus cause no duplicate delivery", { tags: "deep" }, async () => {
  const { receiver, key, userId } = await receive(() => 200);
  service.cloud.faults.add({ service: "events", mode: "fail_after", probability: 0.5, seed: 3 });
  for (const minute of ["10", "20", "30", "40"]) {
    await sendBatch(service, userId, { heartrate: createHeartRates(`2026-05-01T08:${minute}:00Z`, 1) }, { key });
  }
  await service.settle();
  await service.advance(5 * 60_000);
  expect(receiver.received).toHaveLength(4);
});

test("an event without a matching rule is stored in the dead-letter queue of unrouted events", async () => {
  const client = createEngineClient(service);
  const { team_id } = service.identity;
  const outbox = new OutboxStore(new Table(client, process.env.TABLE_EVENTS ?? ""));
  const user_id = await service.createUser("unrouted");
  const type = "raw.oura.sleep.created";
  const reference = { event_id: "evt_unrouted", team_id, user_id, type, key: "k", version: 1 };
  const body = { event_type: type, data: {}, team_id, user_id, client_user_id: "unrouted" };
  const now = new Date(service.cloud.clock.now()).toISOString();
  const { Put } = outbox.appendItem({ reference, body }, now);
  await client.send(new PutCommand({ TableName: Put?.TableName, Item: Put?.Item ?? {} }));
  client.destroy();
  // The write goes past the local cloud, so its stream record may come after the service has settled.
  await vi.waitFor(async () => {
    await service.settle();
    const resources = (await service.call("GET", "/_local/resources")).body;
    const unrouted = resources.dead_letters.filter(({ name }: { name: string }) => name.includes("Unrouted"));
    expect(unrouted).toMatchObject([{ visible: 1 }]);
  }, 10_000);
});
