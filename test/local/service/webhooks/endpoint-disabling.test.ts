import { afterAll, beforeAll, expect, test } from "vitest";
import { TestService } from "../../../support/service.ts";
import { createHeartRates, ingestBatch } from "../ingest/ingest-batch.ts";
import { DeliveryRecords } from "./delivery-records.ts";
import { createTeamWithReceiver, Receiver, type ReceiverBehavior } from "./webhook-receiver.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const [RATE] = createHeartRates("2026-05-01T08:00:00Z", 1);

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

async function receive(behave: ReceiverBehavior) {
  const receiver = await Receiver.start(service, behave);
  const key = await createTeamWithReceiver(service, receiver);
  const userId = await service.createUser("the user", key);
  return { receiver, key, userId, endpoint: await records.endpoint(userId, key) };
}

test("an endpoint that fails for five days is disabled, and its deliveries are cancelled", {
  tags: "deep",
}, async () => {
  const { receiver, key, userId, endpoint } = await receive(() => 500);
  const fail = async (value: number) =>
    (await ingestBatch(service, userId, { heartrate: [{ ...RATE, value }] }, { key })).event_ids[0];
  await fail(60);
  // The failure clock starts with the first attempt at least 12 hours later.
  await service.advance(2 * DAY_MS);
  const { failing_since = "" } = await records.health.get(endpoint);
  await fail(61);
  expect((await records.endpoint(userId, key)).disabled).toBe(false);
  await service.advance(Date.parse(failing_since) + 5 * DAY_MS - service.cloud.clock.now() + 1);
  const last = await fail(62);
  expect(await records.endpoint(userId, key)).toMatchObject({ disabled: true, disabled_reason: "failing" });
  expect(await records.delivery(endpoint, userId, last)).toMatchObject({ state: "cancelled", reason: "failing" });
  const sent = receiver.received.length;
  await ingestBatch(service, userId, { heartrate: [{ ...RATE, value: 63 }] }, { key });
  await service.advance(DAY_MS);
  expect(receiver.received).toHaveLength(sent);
  await receiver.stop();
});

test("a success resets the failure clock of an endpoint", { tags: "deep" }, async () => {
  const { receiver, key, userId, endpoint } = await receive((count) => (count <= 6 ? 500 : 204));
  await ingestBatch(service, userId, { heartrate: [RATE] }, { key });
  await service.advance(14 * HOUR_MS);
  expect(await records.health.get(endpoint)).toMatchObject({ first_failed_at: expect.any(String) });
  await service.advance(20 * HOUR_MS);
  expect(receiver.received).toHaveLength(7);
  expect(await records.health.get(endpoint)).toEqual({
    team_id: endpoint.team_id,
    endpoint_id: endpoint.endpoint_id,
    prompt_from: expect.any(String),
  });
  await receiver.stop();
});
