// @module-tag deep
import { afterAll, beforeAll, expect, test } from "vitest";
import { TestService } from "../../../support/service.ts";
import { orderRequest } from "../orders/order-helpers.ts";
import { findFunctionName } from "../support/stored-items.ts";
import { createTeamWithReceiver, Receiver } from "../webhooks/webhook-receiver.ts";

const HOUR_MS = 3_600_000;
/** Stream records expire after a day. */
const OFF_HOURS = 25;

let service: TestService;
beforeAll(async () => {
  service = await TestService.start();
});
afterAll(() => service.stop());

/** Drops all records of the events stream. @returns a function that stops it. */
function cutStream(): () => void {
  const relay = findFunctionName(service, "relayEvents");
  const { host } = service.cloud;
  const invoke = host.invoke.bind(host);
  host.invoke = async (name, event) => (name.endsWith(relay) ? {} : invoke(name, event));
  return () => void Object.assign(host, { invoke });
}

test("the sweeper publishes all events of a 25-hour outage of the events stream, each once", async () => {
  const receiver = await Receiver.start(service);
  const key = await createTeamWithReceiver(service, receiver, { filter_types: ["labtest.order.created"] });
  const userId = await service.createUser("the user", key);
  await service.settle();
  const before = receiver.received.length;
  const restore = cutStream();
  const sent: number[] = [];
  for (let hour = 0; hour < OFF_HOURS; hour++) {
    sent.push(service.cloud.clock.now());
    const order = await service.call("POST", "/v3/order", { key, body: orderRequest(userId) });
    expect(order.status).toBe(200);
    await service.settle();
    expect(receiver.received).toHaveLength(before + hour);
    await service.advance(HOUR_MS);
  }
  restore();
  await service.advance(HOUR_MS);
  const taken = receiver.received.slice(before);
  expect(new Set(taken.map(({ headers }) => headers["webhook-id"])).size).toBe(OFF_HOURS);
  expect(taken).toHaveLength(OFF_HOURS);
  const latestS = Math.max(...taken.map(({ at }, index) => (at - (sent[index] ?? 0)) / 1_000));
  expect(latestS).toBeLessThan(4 * 60);
  const { events } = (await service.call("GET", "/v2/events?limit=500", { key })).body;
  expect(events.map(({ sequence }: { sequence: number }) => sequence)).toEqual(
    events.map((_: unknown, i: number) => i + 1),
  );
  await receiver.stop();
});
