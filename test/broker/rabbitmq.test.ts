import { gunzipSync } from "node:zlib";
import amqp, { type Channel, type GetMessage } from "amqplib";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { PermanentError } from "../../lib/runtime/errors.ts";
import { sendToRabbitmq } from "../../lib/services/forwarding/rabbitmq.ts";
import { trustLoopbackCertificate } from "../support/peers/loopback-certificate.ts";
import { createBrokerEvent } from "../unit/forwarding/create-broker-event.ts";
import { RabbitmqBroker } from "./rabbitmq.ts";

const EXCHANGE = "events";

let broker: RabbitmqBroker;
beforeAll(async () => {
  broker = await RabbitmqBroker.start();
  await onChannel(async (channel) => {
    await channel.assertExchange(EXCHANGE, "topic");
    await channel.assertQueue("lab");
    await channel.bindQueue("lab", EXCHANGE, "labtest.#");
    await channel.assertQueue("full", { arguments: { "x-max-length": 1, "x-overflow": "reject-publish" } });
    await channel.bindQueue("full", EXCHANGE, "full");
  });
});
beforeEach(() => vi.stubEnv("ALLOW_LOOPBACK_WEBHOOKS", "1"));
afterEach(async () => {
  vi.unstubAllEnvs();
  await onChannel((channel) => channel.purgeQueue("lab"));
});
afterAll(() => broker.stop());

async function onChannel<T>(work: (channel: Channel) => Promise<T>): Promise<T> {
  const connection = await amqp.connect(broker.uri());
  const result = await work(await connection.createChannel());
  await connection.close();
  return result;
}

/** Messages in the queue, oldest first. */
function received(): Promise<GetMessage[]> {
  return onChannel(async (channel) => {
    const messages: GetMessage[] = [];
    for (let next = await channel.get("lab"); next; next = await channel.get("lab")) messages.push(next);
    return messages;
  });
}

const placesOf = (messages: readonly GetMessage[]) => messages.map(({ content }) => JSON.parse(String(content)).place);
const target = (uri = broker.uri(), exchange = EXCHANGE) => ({ uri, exchange });

test("an event arrives with its type as routing key, persistent, with its id, and compressed from 1 KiB", async () => {
  expect((await sendToRabbitmq(target(), [createBrokerEvent(1), createBrokerEvent(2, { filling: 2_000 })])).size).toBe(
    0,
  );
  const [small, big] = await received();
  expect(small?.fields).toMatchObject({ exchange: EXCHANGE, routingKey: "labtest.order.created" });
  expect(small?.properties).toMatchObject({ contentType: "application/json", messageId: "evt_1", deliveryMode: 2 });
  expect(small?.properties.contentEncoding).toBeUndefined();
  expect(String(small?.content)).toBe(createBrokerEvent(1).body);
  expect(big?.properties).toMatchObject({ contentType: "application/json", contentEncoding: "gzip" });
  expect(gunzipSync(big?.content ?? Buffer.of()).toString()).toBe(createBrokerEvent(2, { filling: 2_000 }).body);
});

test("events keep their order and share one connection", async () => {
  const before = await broker.connections();
  const all = Array.from({ length: 30 }, (_, place) => createBrokerEvent(place));
  for (let first = 0; first < all.length; first += 10) {
    expect((await sendToRabbitmq(target(), all.slice(first, first + 10))).size).toBe(0);
  }
  expect(placesOf(await received())).toEqual(all.map((_, place) => place));
  expect(await broker.connections()).toBeLessThanOrEqual(Math.max(before, 1));
});

test("an event without a bound queue fails alone and is retryable", async () => {
  const lost = createBrokerEvent(2, { type: "provider.connection.created" });
  const failed = await sendToRabbitmq(target(), [createBrokerEvent(1), lost, createBrokerEvent(3)]);
  expect([...failed]).toEqual([[lost, new Error("no queue is bound to the exchange for the event")]]);
  expect([...failed.values()]).not.toEqual([expect.any(PermanentError)]);
  expect(placesOf(await received())).toEqual([1, 3]);
});

test("an event without a publisher confirm fails alone and is retryable", async () => {
  const [first, second] = [createBrokerEvent(1, { type: "full" }), createBrokerEvent(2, { type: "full" })];
  expect((await sendToRabbitmq(target(), [first])).size).toBe(0);
  const failed = await sendToRabbitmq(target(), [second, createBrokerEvent(3)]);
  expect([...failed]).toEqual([[second, new Error("the broker did not accept the event")]]);
  expect([...failed.values()]).not.toEqual([expect.any(PermanentError)]);
  expect(placesOf(await received())).toEqual([3]);
});

test.each([
  ["a wrong password", () => target(broker.uri({ password: "other" })), "the broker refused the credentials"],
  ["a missing exchange", () => target(broker.uri(), "none"), "the exchange does not exist"],
])("%s fails events permanently, with the reason", async (_, to, reason) => {
  const failed = await sendToRabbitmq(to(), [createBrokerEvent(1), createBrokerEvent(2)]);
  expect([...failed.values()]).toEqual([new PermanentError(reason), new PermanentError(reason)]);
  expect((await sendToRabbitmq(target(), [createBrokerEvent(3)])).size).toBe(0);
});

test("a missing virtual host fails events as retryable, because the client does not report the cause", async () => {
  const failed = await sendToRabbitmq(target(broker.uri({ vhost: "/none" })), [createBrokerEvent(1)]);
  expect([...failed.values()]).toEqual([new Error("the broker did not accept the event")]);
});

test("a broker with an untrusted certificate gets no event, a trusted broker gets events over TLS", async () => {
  const failed = await sendToRabbitmq(target(broker.tlsUri), [createBrokerEvent(1)]);
  expect([...failed.values()]).toEqual([new Error("the broker did not accept the event")]);
  trustLoopbackCertificate();
  expect((await sendToRabbitmq(target(broker.tlsUri), [createBrokerEvent(2)])).size).toBe(0);
  expect(placesOf(await received())).toEqual([2]);
});

test("the sender reconnects after the broker closes the connection, and loses no event", async () => {
  expect((await sendToRabbitmq(target(), [createBrokerEvent(1)])).size).toBe(0);
  await broker.closeConnections();
  expect((await sendToRabbitmq(target(), [createBrokerEvent(2)])).size).toBe(0);
  expect(placesOf(await received())).toEqual([1, 2]);
});

test("events fail as retryable while the broker is down and arrive after its return", async () => {
  await broker.pause();
  const failed = await sendToRabbitmq(target(), [createBrokerEvent(1)]);
  await broker.resume();
  expect([...failed.values()]).toEqual([new Error("the broker did not accept the event")]);
  expect([...failed.values()]).not.toEqual([expect.any(PermanentError)]);
  expect((await sendToRabbitmq(target(), [createBrokerEvent(2)])).size).toBe(0);
});

test("the sender refuses an address outside the public internet", async () => {
  vi.stubEnv("ALLOW_LOOPBACK_WEBHOOKS", "");
  const uris = [broker.uri({ vhost: "/%2F" }), "amqps://u:p@10.0.0.1", "amqps://u:p@localhost"];
  for (const uri of uris) {
    const failed = await sendToRabbitmq(target(uri), [createBrokerEvent(1)]);
    expect([...failed.values()]).toEqual([expect.any(PermanentError)]);
  }
});
