import { status } from "@grpc/grpc-js";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import type { PubsubTopic } from "../../../lib/events/forwarding/pubsub-destination.ts";
import { PermanentError } from "../../../lib/runtime/errors.ts";
import { sendToPubsub } from "../../../lib/services/forwarding/pubsub.ts";
import { trustLoopbackCertificate } from "../../support/peers/loopback-certificate.ts";
import { PubsubPeer } from "../../support/peers/pubsub-peer.ts";
import { createBrokerEvent } from "./create-broker-event.ts";

let peer: PubsubPeer;
beforeAll(async () => {
  trustLoopbackCertificate();
  peer = await PubsubPeer.start("projects/project-1/topics/events");
});
beforeEach(() => vi.stubEnv("ALLOW_LOOPBACK_WEBHOOKS", "1"));
afterEach(() => {
  vi.unstubAllEnvs();
  peer.messages.length = 0;
  peer.failures.length = 0;
});
afterAll(() => peer.stop());

const topic = (about: Partial<PubsubTopic> = {}): PubsubTopic => ({
  project: "project-1",
  topic: "events",
  message_ordering: true,
  endpoint: peer.endpoint,
  credentials: peer.credentials,
  ...about,
});
const places = () => peer.messages.map(({ data }) => data.place);

test("an event arrives with its attributes and its user as ordering key, compressed from 1 KiB on", async () => {
  const events = [createBrokerEvent(1), createBrokerEvent(2, { filling: 2_000 }), createBrokerEvent(3, { user: "" })];
  expect((await sendToPubsub(topic(), events)).size).toBe(0);
  const attributes = { "event-type": "labtest.order.created", "blob-type": "json" };
  expect(peer.messages.toSorted((a, b) => a.data.place - b.data.place)).toMatchObject([
    { orderingKey: "user-1", attributes: { ...attributes, "idempotency-key": "evt_1" }, data: { place: 1 } },
    { orderingKey: "user-1", attributes: { ...attributes, "blob-codec": "gzip", "idempotency-key": "evt_2" } },
    { orderingKey: "team-1", attributes: { ...attributes, "idempotency-key": "evt_3" } },
  ]);
  expect(
    peer.messages.map(({ attributes }) => "blob-codec" in attributes).filter((isCompressed) => isCompressed),
  ).toHaveLength(1);
  expect(Math.max(...peer.messages.map(({ bytes }) => bytes))).toBeLessThan(200);
});

test("messages have no ordering key without message ordering", async () => {
  await sendToPubsub(topic({ message_ordering: false }), [
    createBrokerEvent(1),
    createBrokerEvent(2, { user: "user-2" }),
  ]);
  expect(peer.messages.map(({ orderingKey }) => orderingKey)).toEqual(["", ""]);
});

test("the events of a user share one request in order, and all requests share one connection", async () => {
  const before = peer.requests;
  for (const first of [1, 4])
    await sendToPubsub(
      topic(),
      [first, first + 1, first + 2].map((place) => createBrokerEvent(place)),
    );
  expect([places(), peer.requests - before, peer.connections.size]).toEqual([[1, 2, 3, 4, 5, 6], 2, 1]);
});

test.each([
  ["RESOURCE_EXHAUSTED", status.RESOURCE_EXHAUSTED],
  ["UNAVAILABLE", status.UNAVAILABLE],
])("an event is retried when the first response is %s", async (_, code) => {
  peer.failures.push(code);
  expect((await sendToPubsub(topic(), [createBrokerEvent(1)])).size).toBe(0);
  expect(places()).toEqual([1]);
});

test("an event without a response fails temporarily", { tags: "deep" }, async () => {
  peer.failures.push("hang", "hang", "hang");
  const event = createBrokerEvent(1);
  const failed = await sendToPubsub(topic(), [event]);
  expect([...failed]).toEqual([[event, new Error("the topic did not accept the event")]]);
  expect([...failed.values()]).not.toEqual([expect.any(PermanentError)]);
});

test.each([
  [
    "an account without permission to publish",
    () => ({}),
    status.PERMISSION_DENIED,
    "the topic refused the credentials",
  ],
  [
    "credentials of another account",
    () => ({ credentials: { ...peer.credentials, client_email: "other@project-1.iam.gserviceaccount.com" } }),
    undefined,
    "the topic refused the credentials",
  ],
  ["a missing topic", () => ({ topic: "nothing" }), undefined, "the topic does not exist"],
])("%s fails an event permanently, with the reason", async (_, about, trouble, reason) => {
  if (trouble !== undefined) peer.failures.push(trouble);
  const failed = await sendToPubsub(topic(about()), [createBrokerEvent(1)]);
  expect([...failed.values()]).toEqual([new PermanentError(reason)]);
  expect(peer.messages).toEqual([]);
});

test.each(["127.0.0.1", "localhost:443", "10.0.0.1"])("no event is sent to %s when deployed", async (host) => {
  vi.stubEnv("ALLOW_LOOPBACK_WEBHOOKS", "");
  const before = peer.requests;
  const endpoint = host === "127.0.0.1" ? peer.endpoint : host;
  const failed = await sendToPubsub(topic({ endpoint }), [createBrokerEvent(1)]);
  expect([...failed.values()]).toEqual([expect.any(PermanentError)]);
  expect(peer.requests).toBe(before);
});
