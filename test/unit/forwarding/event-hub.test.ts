import { randomBytes } from "node:crypto";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { PermanentError } from "../../../lib/runtime/errors.ts";
import { type HubEvent, sendToEventHub } from "../../../lib/services/forwarding/event-hub.ts";
import { EventHubPeer } from "../../support/peers/event-hub-peer.ts";

let peer: EventHubPeer;
beforeAll(async () => {
  peer = await EventHubPeer.start("lab", "other");
});
beforeEach(() => vi.stubEnv("ALLOW_LOOPBACK_WEBHOOKS", "1"));
afterEach(() => {
  vi.unstubAllEnvs();
  peer.records.length = 0;
  peer.failures.length = 0;
});
afterAll(() => peer.stop());

/** Creates an event of a user. `filling` is the number of extra bytes in the body. */
function hubEvent(place: number, { user = "user-1", hub = "lab", filling = 0 } = {}): HubEvent {
  const event_id = `evt_${place}`;
  const type = "labtest.order.created";
  const body = JSON.stringify({ event_type: type, place, text: "x".repeat(filling) });
  return { event: { event_id, team_id: "team-1", user_id: user, type, key: "k", version: 1 }, body, hub };
}

const places = () => peer.records.map(({ data }) => data.place);

test("an event arrives with its properties and its user as partition key, compressed from 1 KiB on", async () => {
  const events = [hubEvent(1), hubEvent(2, { filling: 2_000 }), hubEvent(3, { user: "" })];
  expect((await sendToEventHub(peer.connectionString(), "auto", events)).size).toBe(0);
  const properties = { "event-type": "labtest.order.created", "team-id": "team-1" };
  expect(peer.records).toEqual([
    {
      hub: "lab",
      partitionKey: "user-1",
      contentType: "application/json",
      properties: { ...properties, "user-id": "user-1", "idempotency-key": "evt_1" },
      bytes: expect.any(Number),
      data: { event_type: "labtest.order.created", place: 1, text: "" },
    },
    expect.objectContaining({
      partitionKey: "user-1",
      properties: { ...properties, "user-id": "user-1", "content-encoding": "gzip", "idempotency-key": "evt_2" },
    }),
    expect.objectContaining({ partitionKey: "team-1", properties: { ...properties, "idempotency-key": "evt_3" } }),
  ]);
  expect(peer.records[1]?.bytes).toBeLessThan(200);
});

test("the compression mode `always` compresses small bodies too", async () => {
  await sendToEventHub(peer.connectionString(), "always", [hubEvent(1)]);
  expect(peer.records).toMatchObject([{ properties: { "content-encoding": "gzip" }, data: { place: 1 } }]);
});

test("the events of a user stay in order across batches, and each hub gets its own events", async () => {
  // Each compressed event fills half a batch, so the third event does not fit.
  const big = [1, 2, 3].map((place) => {
    const text = randomBytes(400_000).toString("base64");
    return { ...hubEvent(place), body: JSON.stringify({ place, text }) };
  });
  const events = [...big, hubEvent(5, { hub: "other" })];
  expect((await sendToEventHub(peer.connectionString(), "auto", events)).size).toBe(0);
  expect(peer.records.filter(({ hub }) => hub === "lab").map(({ data }) => data.place)).toEqual([1, 2, 3]);
  expect(peer.records.filter(({ hub }) => hub === "other").map(({ data }) => data.place)).toEqual([5]);
});

test.each(["reject", "detach", "disconnect"] as const)(
  "an event is retried when the first attempt ends with a %s",
  { tags: "deep" },
  async (trouble) => {
    peer.failures.push(trouble);
    expect((await sendToEventHub(peer.connectionString(), "auto", [hubEvent(1)])).size).toBe(0);
    expect(places()).toEqual([1]);
  },
);

test("an event that the hub keeps rejecting fails temporarily", { tags: "deep" }, async () => {
  peer.failures.push("reject", "reject");
  const event = hubEvent(1);
  const failed = await sendToEventHub(peer.connectionString(), "auto", [event]);
  expect([...failed]).toEqual([[event, new Error("the event hub did not accept the event")]]);
  expect([...failed.values()]).not.toEqual([expect.any(PermanentError)]);
  expect(places()).toEqual([]);
});

test.each([
  ["rejected credentials", () => peer.connectionString("d3Jvbmc="), "lab", "the event hub refused the credentials"],
  ["a missing hub", () => peer.connectionString(), "none", "the event hub does not exist"],
])("%s fail an event permanently, with the reason", { tags: "deep" }, async (_, connectionString, hub, reason) => {
  const failed = await sendToEventHub(connectionString(), "auto", [hubEvent(1, { hub })]);
  expect([...failed.values()]).toEqual([new PermanentError(reason)]);
  expect(peer.records).toEqual([]);
});

test("no event is sent to an address outside the public internet", async () => {
  vi.stubEnv("ALLOW_LOOPBACK_WEBHOOKS", "");
  const before = peer.connections;
  const failed = await sendToEventHub(peer.connectionString(), "auto", [hubEvent(1)]);
  expect([...failed.values()]).toEqual([expect.any(PermanentError)]);
  expect(peer.connections).toBe(before);
});
