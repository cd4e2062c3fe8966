import { Webhook as StandardWebhook } from "standardwebhooks";
import { Webhook as SvixWebhook } from "svix";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { TestService } from "../../../support/service.ts";
import { createHeartRates, ingestBatch } from "../ingest/ingest-batch.ts";
import {
  createTeamWithReceiver,
  RECEIVER_SECRET,
  Receiver,
  type ReceiverBehavior,
} from "../webhooks/webhook-receiver.ts";

const RATES = { heartrate: createHeartRates("2026-05-01T08:00:00Z", 2) };

let service: TestService;
const receivers: Receiver[] = [];
beforeAll(async () => {
  service = await TestService.start();
});
afterEach(() => Promise.all(receivers.splice(0).map((receiver) => receiver.stop())));
afterAll(() => service.stop());

async function receive(behave?: ReceiverBehavior, about?: object) {
  const receiver = await Receiver.start(service, behave);
  receivers.push(receiver);
  const key = await createTeamWithReceiver(service, receiver, about);
  return { receiver, key, userId: await service.createUser("the user", key) };
}

test("created and updated samples send events with the five common fields [events-01] [events-02] [events-09] [events-10] [events-15] [events-16] [events-17] [events-19]", async () => {
  const { receiver, key, userId } = await receive();
  const { event_ids } = await ingestBatch(service, userId, RATES, { key });
  await ingestBatch(service, userId, { heartrate: [{ ...RATES.heartrate[0], value: 199 }] }, { key });
  const [created, updated, ...more] = receiver.received;
  expect(more).toEqual([]);
  const team_id = (await service.call("GET", `/v2/user/${userId}`, { key })).body.team_id;
  expect(created?.body).toEqual({
    event_type: "daily.data.heartrate.created",
    team_id,
    user_id: userId,
    client_user_id: "the user",
    data: {
      user_id: userId,
      source_id: expect.any(Number),
      source: expect.objectContaining({ name: "Apple HealthKit", slug: "apple_health_kit", logo: expect.any(String) }),
      data: [
        expect.objectContaining({ timestamp: "2026-05-01T08:00:00+00:00", unit: "bpm", value: 50, type: null }),
        expect.objectContaining({ timestamp: "2026-05-01T08:00:01+00:00", timezone_offset: null, value: 51 }),
      ],
    },
  });
  expect(created?.headers["webhook-id"]).toBe(event_ids[0]);
  expect(updated?.body.event_type).toBe("daily.data.heartrate.updated");
  expect(updated?.body.data.data).toMatchObject([{ timestamp: "2026-05-01T08:00:00+00:00", value: 199 }]);
});

test("both header families carry a signature that independent libraries verify", async () => {
  const { receiver, key, userId } = await receive();
  await ingestBatch(service, userId, RATES, { key });
  const [{ text, headers } = { text: "", headers: {} }] = receiver.received;
  const sent = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
  expect(new StandardWebhook(RECEIVER_SECRET).verify(text, only(sent, "webhook-"))).toEqual(JSON.parse(text));
  const svix = new SvixWebhook(RECEIVER_SECRET);
  expect(() => svix.verify(text, only(sent, "svix-"))).not.toThrow();
  expect(() => svix.verify(text.replace('"value":50', '"value":51'), only(sent, "svix-"))).toThrow();
  expect(() => svix.verify(text, only(sent, "webhook-"))).not.toThrow();
});

/** Returns the headers of one family. */
const only = (headers: Record<string, string>, prefix: string) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => name.startsWith(prefix)));

test("a summary event contains the summary and the common fields [events-13]", async () => {
  const { receiver, key, userId } = await receive();
  await ingestBatch(service, userId, { activity: [{ calendar_date: "2026-05-01", steps: 7 }] }, { key });
  const { body } = await service.call("GET", `/v2/summary/activity/${userId}?start_date=2026-05-01`, { key });
  expect(receiver.received.map((one) => one.body.data)).toEqual([body.activity[0]]);
});

test("a new connection sends an event with its source", { tags: "deep" }, async () => {
  const { receiver, key, userId } = await receive(undefined, { filter_types: ["provider.connection.created"] });
  const body = { user_id: userId, provider: "freestyle_libre" };
  await service.call("POST", "/v2/link/connect/demo", { body, key });
  await service.settle();
  expect(receiver.received.map((one) => one.body)).toMatchObject([
    {
      event_type: "provider.connection.created",
      user_id: userId,
      data: { user_id: userId, source: { slug: "freestyle_libre", name: "Freestyle Libre" } },
    },
  ]);
});

test("an endpoint gets only its subscribed types, a disabled endpoint none, and an endpoint of another team none", async () => {
  const { receiver, key, userId } = await receive(undefined, { filter_types: ["daily.data.steps.created"] });
  const quiet = await receive(undefined, { disabled: true });
  const steps = [{ start: "2026-05-01T08:00:00Z", end: "2026-05-01T08:01:00Z", value: 9 }];
  await ingestBatch(service, userId, { ...RATES, steps }, { key });
  await ingestBatch(service, quiet.userId, { ...RATES, steps }, { key: quiet.key });
  expect(receiver.received.map(({ body }) => body.event_type)).toEqual(["daily.data.steps.created"]);
  expect(quiet.receiver.received).toEqual([]);
});

test("a large batch sends several events that together contain each sample once", { tags: "deep" }, async () => {
  const { receiver, key, userId } = await receive();
  const heartrate = createHeartRates("2026-05-01T00:00:00Z", 2_500);
  const { event_ids } = await ingestBatch(service, userId, { heartrate }, { key });
  expect(receiver.received.map(({ headers }) => headers["webhook-id"]).sort()).toEqual([...event_ids].sort());
  const starts = receiver.received.flatMap(({ body }) => body.data.data.map(({ start }: { start: string }) => start));
  expect(starts).toHaveLength(2_500);
  expect(new Set(starts).size).toBe(2_500);
});

test("the inbox lists received webhooks, newest last, each verified", async () => {
  const userId = await service.createUser("inbox");
  await service.call("DELETE", "/_local/inbox");
  await ingestBatch(service, userId, RATES);
  await ingestBatch(service, userId, { activity: [{ calendar_date: "2026-05-01" }] });
  const all = await service.inbox();
  expect(all.map(({ body, verified }) => [body.event_type, verified])).toEqual([
    ["daily.data.heartrate.created", true],
    ["daily.data.activity.created", true],
  ]);
  expect(await service.inbox("daily.data.activity.created")).toHaveLength(1);
  await service.call("DELETE", "/_local/inbox");
  expect(await service.inbox()).toEqual([]);
});
