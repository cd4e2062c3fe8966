import { randomBytes } from "node:crypto";
import { PutCommand } from "@aws-sdk/lib-dynamodb";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { consumers } from "../../../../../functions/index.ts";
import { TestService } from "../../../../support/service.ts";
import { createHeartRates, ingestBatch, sendBatch } from "../../ingest/ingest-batch.ts";
import { createEngineClient, findFunctionName } from "../../support/stored-items.ts";

/** Values of the templates. */
const MOST_TRIES = 5;
/** Index of the deletion among the calls for a batch object. */
const DELETION = 2;

let service: TestService;
beforeAll(async () => {
  service = await TestService.start();
});
beforeEach(() => {
  for (const { url } of service.cloud.queues.queues()) service.cloud.queues.purge(url);
});
afterAll(() => service.stop());

/** Returns the queue whose name contains `part`, with its dead-letter queue. */
function queueNamed(part: string) {
  const queues = service.cloud.queues.queues();
  const [queue] = queues.filter(({ name, redrive }) => redrive !== undefined && name.includes(part));
  const dead = queues.find(({ arn }) => arn === queue?.redrive?.deadLetterArn);
  if (!queue || !dead) throw new Error(`no queue ${part}`);
  return { queue, dead };
}

/** Queues that a function consumes in every deployment. */
const consumed = consumers
  .flatMap(({ trigger }) => (trigger.kind === "queue" && !trigger.queue.forwardsTo ? [trigger.queue.name] : []))
  .filter((name, place, all) => all.indexOf(name) === place);

test("every queue is tested with an invalid message", () => {
  const deployed = service.cloud.queues.queues().filter(({ redrive }) => redrive !== undefined);
  expect(consumed.length).toBeGreaterThan(5);
  expect(consumed).toHaveLength(deployed.length);
});

test.each(consumed)(
  "an unconsumable message goes from %s to its dead-letter queue at once, with the reason",
  async (name) => {
    const { queue, dead } = queueNamed(`Queue${name}Queue`);
    for (const body of ['{"nothing":"of it"}', "no JSON"])
      service.cloud.queues.send(queue.url, { body, groupId: "team" });
    await service.settle();
    const letters = await service.cloud.queues.receive(dead.url, { max: 10 });
    const contents = letters.map(({ body, attributes, systemAttributes }) => ({
      body,
      reason: attributes.reason?.StringValue,
      group: systemAttributes.MessageGroupId,
    }));
    expect(contents.sort((a, b) => a.body.localeCompare(b.body))).toEqual([
      { body: '{"nothing":"of it"}', reason: "the message does not match its schema", group: "team" },
      { body: "no JSON", reason: "the message is not JSON", group: "team" },
    ]);
    expect(service.cloud.queues.depth(queue.url)).toEqual({ visible: 0, delayed: 0, inFlight: 0 });
  },
);

test("a redriven dead letter is consumed again unchanged", async () => {
  const { queue, dead } = queueNamed("Queuewebhooks");
  service.cloud.queues.send(queue.url, { body: '{"version":"later"}' });
  await service.settle();
  expect(service.cloud.queues.redrive(dead.arn, queue.arn)).toBe(1);
  await service.settle();
  expect(service.cloud.queues.depth(queue.url)).toEqual({ visible: 0, delayed: 0, inFlight: 0 });
  const [letter, ...more] = await service.cloud.queues.receive(dead.url, { max: 10 });
  expect([letter?.body, more]).toEqual(['{"version":"later"}', []]);
});

test("a batch stored in the bucket completes although the response to its deletion is lost", async () => {
  const { dead } = queueNamed("Queueingestion");
  const userId = await service.createUser("of the large batch");
  const storing = findFunctionName(service, "storeBatch");
  // The first call to the bucket reads its object.
  service.cloud.faults.add({
    service: "s3",
    function: storing,
    mode: "fail_after",
    at_call: DELETION,
    every_attempt: true,
  });
  const notes = Array.from({ length: 60 }, (_, minute) => ({
    timestamp: new Date(Date.UTC(2026, 4, 1, 8, minute)).toISOString(),
    value: randomBytes(3_000).toString("base64"),
  }));
  const { body } = await sendBatch(service, userId, { note: notes });
  await service.settle();
  expect(service.cloud.faults.list()).toMatchObject([{ struck: expect.toSatisfy((times) => times > 0) }]);
  service.cloud.faults.clear();
  await service.advance(6 * 3_600_000);
  const receipt = await service.call("GET", `/v2/ingest/${userId}/${body.receipt_id}`);
  expect(receipt.body).toMatchObject({ status: "done", stored: 60 });
  expect(await service.cloud.queues.receive(dead.url, { max: 10 })).toEqual([]);
});

test("a message that keeps failing moves to the dead-letter queue after a few attempts, delays no other, and has one effect however often it is redriven", {
  tags: "deep",
}, async () => {
  const { queue, dead } = queueNamed("Queueingestion");
  const userId = await service.createUser("of the failing batch");
  const storing = findFunctionName(service, "storeBatch");
  service.cloud.faults.add({ service: "dynamodb", function: storing, mode: "fail_before" });
  const { body } = await sendBatch(service, userId, { heartrate: createHeartRates("2026-05-01T08:00:00Z", 3) });
  await service.settle();
  const tries = vi.spyOn(service.cloud.host, "invoke");
  await service.advance(6 * 3_600_000);
  expect(tries.mock.calls.filter(([name]) => name.includes("storeBatch"))).toHaveLength(MOST_TRIES - 1);
  tries.mockRestore();
  expect(service.cloud.queues.depth(dead.url).visible).toBe(1);
  service.cloud.faults.clear();
  const other = await ingestBatch(service, userId, { heartrate: createHeartRates("2026-05-01T09:00:00Z", 3) });
  expect(other).toMatchObject({ status: "done", stored: 3 });
  const [letter] = await service.cloud.queues.receive(dead.url, { max: 1 });
  // A second redrive of the same dead letter enqueues it twice.
  for (const _ of ["once", "twice"])
    service.cloud.queues.send(queue.url, { body: letter?.body ?? "", groupId: "team" });
  await service.settle();
  const receipt = await service.call("GET", `/v2/ingest/${userId}/${body.receipt_id}`);
  expect(receipt.body).toMatchObject({ status: "done", stored: 3, updated: 0, unchanged: 0 });
  const inbox = await service.inbox("daily.data.heartrate.created");
  expect(inbox.filter((one) => one.body.user_id === userId)).toHaveLength(2);
});

test("an invalid item of the stream is named in the dead letters of the relay and delays no other", {
  tags: "deep",
}, async () => {
  const client = createEngineClient(service);
  const Item = { pk: "event#t#u", sk: "evt_of_another_time", unsent_shard: "event#0", body: "private" };
  await client.send(new PutCommand({ TableName: process.env.TABLE_EVENTS, Item }));
  client.destroy();
  const user_id = await service.createUser("behind it");
  // The relay publishes the event of a connection, other than those of batches.
  const connected = await service.call("POST", "/v2/link/connect/demo", { body: { user_id, provider: "oura" } });
  expect(connected.status).toBe(200);
  await service.settle();
  const { body } = await service.call("GET", "/v2/events?limit=500");
  const types = body.events.map((event: { body: { event_type: string } | null }) => event.body?.event_type);
  expect(types).toContain("provider.connection.created");
  const missed = service.cloud.queues.queues().find(({ name }) => name.includes("relayEventsMissed"));
  const letters = await service.cloud.queues.receive(missed?.url ?? "", { max: 10 });
  expect(letters.map((letter) => JSON.parse(letter.body))).toEqual([{ pk: "event#t#u", sk: "evt_of_another_time" }]);
});
