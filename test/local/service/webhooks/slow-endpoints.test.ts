import { afterAll, beforeAll, expect, test } from "vitest";
import { SLOW_ATTEMPT_MS, SLOW_PERIOD_MS } from "../../../../lib/events/webhooks/endpoint-health.ts";
import { DeliverySlotStore } from "../../../../lib/store/webhooks/delivery-slots.ts";
import { TestService } from "../../../support/service.ts";
import { ingestBatch } from "../ingest/ingest-batch.ts";
import { DeliveryRecords } from "./delivery-records.ts";
import { createTeamWithReceiver, Receiver } from "./webhook-receiver.ts";

const HOLD_MS = 150;

let service: TestService;
let records: DeliveryRecords;
beforeAll(async () => {
  service = await TestService.start();
  records = new DeliveryRecords(service);
});
afterAll(() => {
  records.stop();
  return service.stop();
});

/** Starts a receiver that delays each response, and counts its concurrent requests. */
async function holding(holdMs: () => number) {
  let open = 0;
  const seen = { most: 0 };
  const receiver = await Receiver.start(service, async () => {
    open += 1;
    seen.most = Math.max(seen.most, open);
    await new Promise((resolve) => setTimeout(resolve, holdMs()));
    open -= 1;
    return 204;
  });
  const key = await createTeamWithReceiver(service, receiver);
  const userId = await service.createUser("the user", key);
  return { receiver, seen, key, userId, endpoint: await records.endpoint(userId, key) };
}

/** Sends one event for each of several days. */
const pushDays = async (userId: string, key: string, count: number, year = 2025): Promise<string[]> => {
  const activity = Array.from({ length: count }, (_, day) => ({
    calendar_date: new Date(Date.UTC(year, 0, 1 + day)).toISOString().slice(0, 10),
  }));
  return (await ingestBatch(service, userId, { activity }, { key })).event_ids;
};

test("an endpoint counts as slow for ten minutes after an attempt of five seconds, whatever its outcome", {
  tags: "deep",
}, async () => {
  let holdMs = SLOW_ATTEMPT_MS + 50;
  const slow = await holding(() => holdMs);
  await pushDays(slow.userId, slow.key, 1);
  const { slow_until = "", slow_ms = 0 } = await records.health.get(slow.endpoint);
  expect(slow_ms).toBeGreaterThanOrEqual(SLOW_ATTEMPT_MS);
  expect(Date.parse(slow_until) - service.cloud.clock.now()).toBeLessThanOrEqual(SLOW_PERIOD_MS);
  expect(Date.parse(slow_until) - service.cloud.clock.now()).toBeGreaterThan(SLOW_PERIOD_MS - 60_000);
  holdMs = 0;
  const url = `/v1/org/${service.identity.org_id}/team/${slow.endpoint.team_id}/sandbox/webhook/${slow.endpoint.endpoint_id}`;
  await service.manage("PATCH", url, { body: { disabled: true } });
  await service.manage("PATCH", url, { body: { disabled: false } });
  expect(await records.health.get(slow.endpoint)).not.toHaveProperty("slow_until");
  await slow.receiver.stop();
});

test("a slow endpoint has at most four open attempts, and gets all of its 25 events", { tags: "deep" }, async () => {
  const slow = await holding(() => HOLD_MS);
  const usual = await holding(() => HOLD_MS);
  await records.health.recordDuration(slow.endpoint, SLOW_ATTEMPT_MS, service.cloud.clock.now(), slow.endpoint);
  const eventIds = await pushDays(slow.userId, slow.key, 25);
  await service.advance(2 * 60_000);
  const states = await Promise.all(eventIds.map((id) => records.delivery(slow.endpoint, slow.userId, id)));
  expect(new Set(states.map(({ state }) => state))).toEqual(new Set(["delivered"]));
  expect(slow.receiver.received).toHaveLength(25);
  expect(slow.seen.most).toBeLessThanOrEqual(4);
  await pushDays(usual.userId, usual.key, 25);
  expect(usual.seen.most).toBeGreaterThan(4);
  await Promise.all([slow.receiver.stop(), usual.receiver.stop()]);
});

test("of forty concurrent claims as many succeed as there are slots, and a lost slot is free after a minute", async () => {
  const slots = new DeliverySlotStore(records.table);
  const nowMs = service.cloud.clock.now();
  const of = (endpoint: number) => ({ team_id: "team", endpoint_id: `endpoint-${endpoint}` });
  const bounds = { endpoint: 4, team: 10 };
  let claims = 0;
  const takeAll = async (atMs: number) => {
    const all = Array.from({ length: 40 }, (_, index) => index);
    const taken = await Promise.all(all.map((index) => slots.acquire(of(index % 4), bounds, `${claims++}`, atMs)));
    const got = all.filter((index) => typeof taken[index] === "string");
    return { got, slots: taken.filter((slot) => typeof slot === "string"), taken };
  };
  const first = await takeAll(nowMs);
  expect(first.got).toHaveLength(10);
  for (let endpoint = 0; endpoint < 4; endpoint++) {
    expect(first.got.filter((index) => index % 4 === endpoint).length).toBeLessThanOrEqual(4);
  }
  const [index = 0] = first.got;
  await slots.release(of(index % 4), first.slots[0] ?? "");
  await slots.release(of(index % 4), first.slots[0] ?? "");
  expect((await takeAll(nowMs)).got).toHaveLength(1);
  expect((await takeAll(nowMs + 59_000)).got).toHaveLength(0);
  expect((await takeAll(nowMs + 61_000)).got).toHaveLength(10);
});
