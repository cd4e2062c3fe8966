import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { trustLoopbackCertificate } from "../../../support/peers/loopback-certificate.ts";
import type { TestService } from "../../../support/service.ts";
import { DestinationFixture } from "../forwarding/destination-fixture.ts";
import { createHeartRates, ingestBatch } from "../ingest/ingest-batch.ts";
import { DeliveryRecords } from "../webhooks/delivery-records.ts";
import { createTeamWithReceiver, Receiver } from "../webhooks/webhook-receiver.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const RATES = { heartrate: createHeartRates("2026-05-01T08:00:00Z", 1) };

/** A hub at a port where no process listens. */
const UNREACHABLE = "Endpoint=sb://127.0.0.1:9/;SharedAccessKeyName=none;SharedAccessKey=bm9uZQ==";

let world: DestinationFixture;
let service: TestService;
let records: DeliveryRecords;
const receivers: Receiver[] = [];
beforeAll(async () => {
  trustLoopbackCertificate();
  world = await DestinationFixture.start();
  service = world.service;
  records = new DeliveryRecords(service);
});
afterEach(() => Promise.all(receivers.splice(0).map((receiver) => receiver.stop())));
afterAll(() => {
  records.stop();
  return world.stop();
});

const remove = {
  team: ({ teamId }: Gone) => service.manage("DELETE", `/v1/org/${service.identity.org_id}/team/${teamId}`),
  user: ({ key, userId }: Gone) => service.call("DELETE", `/v2/user/${userId}`, { key }),
};
type Gone = { readonly teamId: string; readonly key: string; readonly userId: string };

/** Creates a team whose receiver refuses the first webhook and accepts every later one. */
async function withWaitingDelivery() {
  let isUp = false;
  const receiver = await Receiver.start(service, () => (isUp ? 204 : 500));
  receivers.push(receiver);
  const key = await createTeamWithReceiver(service, receiver);
  const userId = await service.createUser("the user", key);
  const endpoint = await records.endpoint(userId, key);
  const { event_ids } = await ingestBatch(service, userId, RATES, { key });
  const refused = receiver.received.length;
  const gone = { teamId: endpoint.team_id, key, userId };
  return { ...gone, receiver, endpoint, event_ids, refused, comeUp: () => (isUp = true) };
}

test.each(["team", "user"] as const)(
  "a pending delivery is cancelled when its %s is deleted",
  { tags: "deep" },
  async (what) => {
    const waiting = await withWaitingDelivery();
    expect(waiting.refused).toBe(1);
    expect((await remove[what](waiting)).status).toBe(200);
    waiting.comeUp();
    await service.advance(DAY_MS);
    const sent = waiting.receiver.received.slice(waiting.refused);
    expect(sent.filter(({ body }) => body.event_type !== "user.deleted")).toEqual([]);
    const delivery = await records.delivery(waiting.endpoint, waiting.userId, waiting.event_ids[0]);
    expect(delivery).toMatchObject({ state: "cancelled", reason: `${what}_deleted` });
  },
);

test.each([
  ["team", 0],
  ["user", 0],
  ["neither", 1],
] as const)(
  "of the events that wait for a destination when the %s is deleted, %d are sent",
  { tags: "deep" },
  async (what, count) => {
    const { teamId, key } = await service.createTeam(`Forwarded ${what}`);
    const userId = await service.createUser("forwarded", key);
    expect((await world.set(teamId, { azure_amqp: world.hub({ connection_string: UNREACHABLE }) })).status).toBe(200);
    await ingestBatch(service, userId, RATES, { key });
    await world.set(teamId);
    if (what !== "neither") expect((await remove[what]({ teamId, key, userId })).status).toBe(200);
    await service.advance(30 * MINUTE_MS);
    const sent = world.hubs.records.filter(
      ({ data }) => data.user_id === userId && data.event_type.startsWith("daily."),
    );
    expect([sent.length, await world.reasons()]).toEqual([count, []]);
  },
);
