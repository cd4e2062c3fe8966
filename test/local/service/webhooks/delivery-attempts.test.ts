// @module-tag share
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { signWebhook } from "../../../../lib/crypto/webhook-signature.ts";
import { headersContext, secretContext } from "../../../../lib/events/webhooks/webhook-endpoint.ts";
import { chooseCount } from "../../../support/depth.ts";
import { TestService } from "../../../support/service.ts";
import { createHeartRates, ingestBatch } from "../ingest/ingest-batch.ts";
import { findFunctionName } from "../support/stored-items.ts";
import { DeliveryRecords } from "./delivery-records.ts";
import {
  createTeamWithReceiver,
  RECEIVER_SECRET,
  type ReceivedWebhook,
  Receiver,
  type ReceiverBehavior,
} from "./webhook-receiver.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const RATES = { heartrate: createHeartRates("2026-05-01T08:00:00Z", 1) };
const days = (count: number) =>
  Array.from({ length: count }, (_, day) => ({
    calendar_date: new Date(Date.UTC(2026, 0, 1 + day)).toISOString().slice(0, 10),
  }));

/** Every third call crashes in `npm test`, each in `npm run test:deep`. */
const STRIDE = chooseCount(3, 1);

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
  return { receiver, key, userId, endpoint: await records.endpoint(userId, key) };
}

test("an endpoint that answers 410 is disabled at once, and its deliveries are cancelled with that reason", async () => {
  const { receiver, key, userId, endpoint } = await receive((count) => (count === 1 ? 500 : 410));
  const first = await ingestBatch(service, userId, { activity: days(1) }, { key });
  const second = await ingestBatch(service, userId, RATES, { key });
  await service.advance(10_000);
  expect(receiver.received).toHaveLength(2);
  expect(await records.endpoint(userId, key)).toMatchObject({ disabled: true, disabled_reason: "gone" });
  for (const { event_ids } of [first, second]) {
    const delivery = await records.delivery(endpoint, userId, event_ids[0]);
    expect(delivery).toMatchObject({ state: "cancelled", reason: "gone", attempts: [{ status: expect.any(Number) }] });
  }
});

test("deliveries of a deleted user are cancelled", async () => {
  const { receiver, key, userId, endpoint } = await receive(() => 500);
  const { event_ids } = await ingestBatch(service, userId, RATES, { key });
  await service.call("DELETE", `/v2/user/${userId}`, { key });
  await service.advance(10_000);
  expect(receiver.received).toHaveLength(1);
  const delivery = await records.delivery(endpoint, userId, event_ids[0]);
  expect(delivery).toMatchObject({ state: "cancelled", reason: "user_deleted" });
});

describe("a receiver that sets Retry-After", () => {
  const inTenMinutes = () => new Date(service.cloud.clock.now() + 10 * MINUTE_MS).toUTCString();

  test.each([
    ["in seconds", 503, () => "600"],
    ["by a date", 429, inTenMinutes],
  ])(
    "%s gets no request of any delivery until then, and no delivery uses up an attempt",
    async (_, status, retryAfter) => {
      const { receiver, key, userId, endpoint } = await receive((count) =>
        count === 1 ? { status, headers: { "retry-after": retryAfter() } } : 204,
      );
      await ingestBatch(service, userId, RATES, { key });
      const { event_ids } = await ingestBatch(service, userId, { activity: days(3) }, { key });
      await service.advance(9 * MINUTE_MS);
      expect(receiver.received).toHaveLength(1);
      await service.advance(3 * MINUTE_MS);
      expect(receiver.received).toHaveLength(5);
      const delivery = await records.delivery(endpoint, userId, event_ids[0]);
      expect(delivery.attempts.map((attempt) => attempt.status)).toEqual([204]);
    },
  );
});

describe("the record of an attempt", () => {
  const attemptsAt = async (behave: ReceiverBehavior) => {
    const { key, userId, endpoint } = await receive(behave);
    const { event_ids } = await ingestBatch(service, userId, RATES, { key });
    return (await records.delivery(endpoint, userId, event_ids[0])).attempts;
  };

  test("contains the first kilobyte of the response, without a truncated character", async () => {
    const [attempt] = await attemptsAt(() => ({ status: 422, text: `a${"é".repeat(200_000)}` }));
    expect(attempt).toMatchObject({ status: 422, error: null, response: `a${"é".repeat(511)}` });
  });

  test("states the error that prevented a response", async () => {
    const [attempt] = await attemptsAt(() => "reset");
    expect(attempt).toMatchObject({ status: 0, error: "broken", response: "" });
  });

  test("states that no request could be sent", async () => {
    const { receiver, key, userId, endpoint } = await receive();
    await receiver.stop();
    receivers.length = 0;
    const { event_ids } = await ingestBatch(service, userId, RATES, { key });
    const { attempts } = await records.delivery(endpoint, userId, event_ids[0]);
    expect(attempts).toMatchObject([{ status: 0, error: "unreachable" }]);
    await records.change(endpoint, { disabled: true });
  });

  test("states that the URL is not allowed for webhooks", async () => {
    const { receiver, key, userId, endpoint } = await receive();
    await records.change(endpoint, { url: receiver.url.replace("127.0.0.1", "localhost") });
    const { event_ids } = await ingestBatch(service, userId, RATES, { key });
    const { attempts } = await records.delivery(endpoint, userId, event_ids[0]);
    expect(attempts).toMatchObject([{ status: 0, error: "refused" }]);
    expect(receiver.received).toEqual([]);
    await records.change(endpoint, { disabled: true });
  });
});

test("headers of an endpoint are sent, but do not replace headers of the sender", async () => {
  const { receiver, key, userId, endpoint } = await receive();
  const own = {
    authorization: "Bearer of-the-team",
    "X-Route": "a",
    HOST: "elsewhere.example.com",
    "Content-Type": "text/plain",
    "content-length": "1",
    "Webhook-Signature": "v1,forged",
    "svix-version": "0",
  };
  await records.change(endpoint, { headers: await records.seal(JSON.stringify(own), headersContext(endpoint)) });
  await ingestBatch(service, userId, RATES, { key });
  const [{ headers, text }] = receiver.received as [ReceivedWebhook];
  expect(headers).toMatchObject({
    authorization: "Bearer of-the-team",
    "x-route": "a",
    host: new URL(receiver.url).host,
    "content-type": "application/json",
    "content-length": String(Buffer.byteLength(text)),
  });
  expect(headers["webhook-signature"]).toBe(headers["svix-signature"]);
  expect(headers["svix-version"]).toBe(headers["webhook-version"]);
});

/** Returns the signature of a webhook under a secret. */
const signedWith = (secret: string, { headers, text }: ReceivedWebhook) =>
  signWebhook([secret], String(headers["webhook-id"]), Number(headers["webhook-timestamp"]), text);

test("a webhook is also signed with the previous secret until that secret expires", { tags: "deep" }, async () => {
  const { receiver, key, userId, endpoint } = await receive();
  const before = `whsec_${Buffer.alloc(32, 9).toString("base64")}`;
  const sealed_secret = await records.seal(before, secretContext(endpoint));
  const expires_at = new Date(service.cloud.clock.now() + 24 * HOUR_MS).toISOString();
  await records.change(endpoint, { previous_secret: { sealed_secret, expires_at } });
  await ingestBatch(service, userId, RATES, { key });
  await service.advance(25 * HOUR_MS);
  await ingestBatch(service, userId, { activity: days(1) }, { key });
  const [during, after] = receiver.received as [ReceivedWebhook, ReceivedWebhook];
  expect(during.headers["webhook-signature"]).toBe(
    `${signedWith(RECEIVER_SECRET, during)} ${signedWith(before, during)}`,
  );
  expect(after.headers["webhook-signature"]).toBe(signedWith(RECEIVER_SECRET, after));
});

test("an endpoint's rate limit bounds the attempts per second, and waiting uses up no attempt", {
  tags: "deep",
}, async () => {
  const { receiver, key, userId, endpoint } = await receive((count) =>
    count === 1 ? { status: 503, headers: { "retry-after": "60" } } : 204,
  );
  await ingestBatch(service, userId, RATES, { key });
  await records.change(endpoint, { rate_limit: 2 });
  const { event_ids } = await ingestBatch(service, userId, { activity: days(12) }, { key });
  // All become due within six seconds. While the clock is advanced, it stands still during the attempts of an instant.
  await service.advance(2 * MINUTE_MS);
  const seconds = Map.groupBy(receiver.received, ({ at }) => Math.floor(at / 1000));
  expect(Math.max(...[...seconds.values()].map((received) => received.length))).toBe(2);
  expect(receiver.received).toHaveLength(14);
  for (const id of event_ids) {
    expect((await records.delivery(endpoint, userId, id)).attempts).toMatchObject([{ status: 204 }]);
  }
});

describe("a delivery", () => {
  const attemptsUrl = () => {
    const queues = service.cloud.queues.queues().filter(({ redrive }) => redrive !== undefined);
    return queues.find(({ name }) => name.includes("webhookAttempts"))?.url ?? "";
  };

  test("is attempted once when many messages name it at the same time", async () => {
    const { receiver, key, userId, endpoint } = await receive((count) => (count === 1 ? 500 : 204));
    const { event_ids } = await ingestBatch(service, userId, RATES, { key });
    const { team_id, endpoint_id } = endpoint;
    const message = { team_id, user_id: userId, endpoint_id, event_id: event_ids[0], order_key: orderKey(userId) };
    const sendMany = async () => {
      for (let copy = 0; copy < 25; copy++) service.cloud.queues.send(attemptsUrl(), { body: JSON.stringify(message) });
      await service.settle();
    };
    await sendMany();
    expect(receiver.received).toHaveLength(1);
    await service.advance(5_000);
    await sendMany();
    expect(receiver.received).toHaveLength(2);
  });

  const orderKey = (userId: string) => `${userId}#heartrate#apple_health_kit#watch`;

  const CALLS = {
    deliverEvent: { dynamodb: 13, sqs: 1, kms: 1, http: 1 },
    attemptDelivery: { dynamodb: 11, sqs: 1, kms: 1, http: 2 },
  } as const;

  test.each(Object.entries(CALLS))(
    "arrives with its newest value after a crash following any call of %s",
    { tags: "deep", timeout: 180_000 },
    async (consumer, calls) => {
      const worker = findFunctionName(service, consumer);
      const seen = new Set<string>();
      const isFirst = (userId: string) => !seen.has(userId) && seen.add(userId);
      const { receiver, key, endpoint } = await receive((_, { user_id }) => (isFirst(user_id) ? 500 : 204));
      for (const [name, count] of Object.entries(calls)) {
        for (let at_call = 1; at_call <= count; at_call += STRIDE) {
          const about = `${consumer} ${name} ${at_call}`;
          const userId = await service.createUser(about, key);
          const fault = { service: name as "dynamodb", mode: "fail_after", every_attempt: true } as const;
          service.cloud.faults.add({ ...fault, at_call, function: worker });
          const { event_ids } = await ingestBatch(service, userId, RATES, { key });
          await ingestBatch(service, userId, { heartrate: [{ ...RATES.heartrate[0], value: 77 }] }, { key });
          await service.advance(10 * MINUTE_MS);
          service.cloud.faults.clear();
          const { state } = await records.delivery(endpoint, userId, event_ids[0]);
          const received = receiver.received.filter(({ body }) => body.user_id === userId);
          expect([about, state, received.at(-1)?.body.data.data[0].value]).toEqual([about, "delivered", 77]);
        }
      }
    },
  );
});
