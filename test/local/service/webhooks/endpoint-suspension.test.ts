// @module-tag share
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import type { WebhookEndpoint } from "../../../../lib/events/webhooks/webhook-endpoint.ts";
import { chooseCount } from "../../../support/depth.ts";
import { TestService } from "../../../support/service.ts";
import { createHeartRates, ingestBatch } from "../ingest/ingest-batch.ts";
import { DeliveryRecords } from "./delivery-records.ts";
import { createTeamWithReceiver, Receiver, type ReceiverBehavior } from "./webhook-receiver.ts";

const EVENTS = chooseCount(60, 200);
const MINUTE_MS = 60_000;
const DAYS_AT_ONCE = 25;
const RATES = { heartrate: createHeartRates("2026-05-01T08:00:00Z", 1) };

/**
 * Ingests a summary for each of several days, each with its own event and ordering key.
 * @returns the ids of the events.
 */
async function pushDays(userId: string, key: string, count: number): Promise<string[]> {
  const eventIds: string[] = [];
  for (let day = 0; day < count; day += DAYS_AT_ONCE) {
    const activity = Array.from({ length: Math.min(DAYS_AT_ONCE, count - day) }, (_, index) => ({
      calendar_date: new Date(Date.UTC(2025, 0, 1 + day + index)).toISOString().slice(0, 10),
    }));
    eventIds.push(...(await ingestBatch(service, userId, { activity }, { key })).event_ids);
  }
  return eventIds;
}

let service: TestService;
let records: DeliveryRecords;
const receivers: Receiver[] = [];
const endpoints: WebhookEndpoint[] = [];
beforeAll(async () => {
  service = await TestService.start();
  records = new DeliveryRecords(service);
});
afterEach(async () => {
  // An endpoint that fails permanently would get attempts while the clock is advanced for other tests.
  for (const endpoint of endpoints.splice(0)) await records.change(endpoint, { disabled: true });
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
  endpoints.push(endpoint);
  return { receiver, key, userId, endpoint };
}

test(`an endpoint that is down is suspended, probed once a minute, and gets all ${EVENTS} events after it recovers`, {
  tags: "deep",
  timeout: 180_000,
}, async () => {
  let isUp = false;
  const { receiver, key, userId, endpoint } = await receive(() => (isUp ? 204 : 500));
  const other = await receive();
  const eventIds = await pushDays(userId, key, EVENTS);
  expect(await records.health.get(endpoint)).toMatchObject({ parked_at: expect.any(String) });
  // Attempts in progress at the twentieth failure have failed too.
  const untilParked = receiver.received.length;
  expect(untilParked).toBeGreaterThanOrEqual(20);
  expect(untilParked).toBeLessThan(100);

  await service.advance(10 * MINUTE_MS);
  const probes = receiver.received.length - untilParked;
  expect(probes).toBeGreaterThanOrEqual(9);
  expect(probes).toBeLessThanOrEqual(11);
  const probed = receiver.received.slice(untilParked).map(({ headers }) => headers["webhook-id"]);
  expect(new Set(probed).size).toBe(probes);
  await ingestBatch(service, other.userId, RATES, { key: other.key });
  expect(other.receiver.received).toHaveLength(1);

  isUp = true;
  await service.advance(15 * MINUTE_MS);
  const states = await Promise.all(eventIds.map((id) => records.delivery(endpoint, userId, id)));
  expect(new Set(states.map(({ state }) => state))).toEqual(new Set(["delivered"]));
  expect(Math.max(...states.map(({ attempts }) => attempts.filter(({ probe }) => !probe).length))).toBe(2);
  expect(await records.health.get(endpoint)).not.toHaveProperty("parked_at");
});

test("sporadic failures do not suspend an endpoint, because a success resets the count", {
  tags: "deep",
  timeout: 240_000,
}, async () => {
  const { key, userId, endpoint } = await receive((count) => (count % 3 === 0 ? 204 : 500));
  await pushDays(userId, key, 40);
  expect(await records.health.get(endpoint)).not.toHaveProperty("parked_at");
});

test("an endpoint that refuses messages of one type for good gets all others at once", {
  timeout: 240_000,
}, async () => {
  const { receiver, key, userId, endpoint } = await receive((_, { event_type }) =>
    event_type === "daily.data.activity.created" ? 404 : 204,
  );
  const eventIds = await pushDays(userId, key, 40);
  expect(await records.health.get(endpoint)).not.toHaveProperty("parked_at");
  await ingestBatch(service, userId, RATES, { key });
  expect(receiver.received.at(-1)?.body.event_type).toBe("daily.data.heartrate.created");
  await service.advance(40 * MINUTE_MS);
  const states = await Promise.all(eventIds.map((id) => records.delivery(endpoint, userId, id)));
  expect(new Set(states.map(({ state, attempts }) => `${state} ${attempts.length}`))).toEqual(new Set(["pending 4"]));
});

test("a refusal ends a suspension, and the refused message continues with its schedule", {
  timeout: 240_000,
}, async () => {
  let isUp = false;
  const { receiver, key, userId, endpoint } = await receive((_, { event_type }) => {
    if (!isUp) return 503;
    return event_type === "daily.data.activity.created" ? 422 : 204;
  });
  const eventIds = await pushDays(userId, key, 25);
  await ingestBatch(service, userId, RATES, { key });
  expect(await records.health.get(endpoint)).toHaveProperty("parked_at");
  const { team_id, endpoint_id } = endpoint;
  const base = `/v1/org/${service.identity.org_id}/team/${team_id}/sandbox/webhook`;
  const { parked_at } = await records.health.get(endpoint);
  expect((await service.manage("GET", base)).body.data).toMatchObject([{ suspended_since: parked_at }]);
  expect((await service.manage("GET", `${base}/${endpoint_id}`)).body.suspended_since).toBe(parked_at);
  isUp = true;
  await service.advance(5 * MINUTE_MS);
  expect(await records.health.get(endpoint)).not.toHaveProperty("parked_at");
  expect((await service.manage("GET", `${base}/${endpoint_id}`)).body.suspended_since).toBeNull();
  expect(receiver.received.map(({ body }) => body.event_type)).toContain("daily.data.heartrate.created");
  const states = await Promise.all(eventIds.map((id) => records.delivery(endpoint, userId, id)));
  expect(new Set(states.map(({ state }) => state))).toEqual(new Set(["pending"]));
  expect(states.flatMap(({ attempts }) => attempts).filter(({ probe }) => probe)).toEqual([]);
});

test("failures with successes beside them do not suspend an endpoint", { timeout: 240_000 }, async () => {
  // These attempts read the health of the endpoint before any of them ends.
  const gate = Promise.withResolvers<void>();
  let gated = 0;
  const { key, userId, endpoint } = await receive(async (count) => {
    if (count <= DAYS_AT_ONCE && ++gated === DAYS_AT_ONCE) gate.resolve();
    await gate.promise;
    return count % 5 === 0 ? 204 : 500;
  });
  await pushDays(userId, key, DAYS_AT_ONCE);
  const { failed, parked_at } = await records.health.get(endpoint);
  expect([failed?.size ?? 0, parked_at]).toEqual([0, undefined]);
});

test.each(["gone", "manual"] as const)(
  "deliveries held for an endpoint are cancelled when it is disabled: %s",
  { tags: "deep", timeout: 240_000 },
  async (disabled_reason) => {
    let isGone = false;
    const { key, userId, endpoint } = await receive(() => (isGone ? 410 : 500));
    const eventIds = await pushDays(userId, key, 50);
    if (disabled_reason === "gone") isGone = true;
    else await records.change(endpoint, { disabled: true, disabled_reason });
    // Much less than one probe a minute would take.
    await service.advance(12 * MINUTE_MS);
    const states = await Promise.all(eventIds.map((id) => records.delivery(endpoint, userId, id)));
    const expected = new Set([`cancelled ${disabled_reason}`]);
    expect(new Set(states.map(({ state, reason }) => `${state} ${reason}`))).toEqual(expected);
  },
);
