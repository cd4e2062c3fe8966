import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { consumers, contracts } from "../../../../../functions/index.ts";
import { isOptional } from "../../../../../lib/contract/consumer.ts";
import { tables } from "../../../../../lib/contract/resources.ts";
import { TestService } from "../../../../support/service.ts";
import { createHeartRates, ingestBatch, sendBatch } from "../../ingest/ingest-batch.ts";
import { findFunctionName } from "../../support/stored-items.ts";
import { createTeamWithReceiver, Receiver } from "../../webhooks/webhook-receiver.ts";

/** Behavior of the pages below /_local/. */

const RATES = { heartrate: createHeartRates("2026-05-01T08:00:00Z", 2) };

let service: TestService;
beforeAll(async () => {
  service = await TestService.start();
});
afterEach(async () => {
  await service.call("DELETE", "/_local/faults");
});
afterAll(() => service.stop());

const local = (method: string, path: string, body?: unknown) =>
  service.call(method, `/_local/${path}`, { key: null, ...(body === undefined ? {} : { body }) });
const instant = async () => Date.parse((await local("GET", "clock")).body.now);

test("the clock advances by the requested seconds, and the whole service follows it", async () => {
  const before = await instant();
  const { status, body } = await local("POST", "clock", { advance_seconds: 86_400 });
  expect(status).toBe(200);
  const movedS = (Date.parse(body.now) - before) / 1000;
  expect(movedS).toBeGreaterThanOrEqual(86_400);
  expect(movedS).toBeLessThan(86_460);
  const user = await service.call("POST", "/v2/user", { body: { client_user_id: "of tomorrow" } });
  expect(Date.parse(user.headers.get("date") ?? "") - Date.parse(body.now)).toBeGreaterThan(-1_000);
  expect(Date.parse(user.body.created_on)).toBeGreaterThanOrEqual(Date.parse(body.now));
});

test.each([{}, { advance_seconds: -1 }, { advance_seconds: "60" }, { advance_seconds: 1e12 }])(
  "the clock refuses %j",
  async (body) => {
    const before = await instant();
    expect((await local("POST", "clock", body)).status).toBe(422);
    expect((await instant()) - before).toBeLessThan(60_000);
  },
);

test("seven idle days call only a few functions", async () => {
  await service.settle();
  const invoked = vi.spyOn(service.cloud.host, "invoke");
  await local("POST", "clock", { advance_seconds: 7 * 86_400 });
  const count = invoked.mock.calls.length;
  invoked.mockRestore();
  expect(count).toBeGreaterThan(0);
  expect(count).toBeLessThan(60);
});

test("settle waits for all due work, and reports it", async () => {
  const userId = await service.createUser("settled");
  const { body } = await sendBatch(service, userId, RATES);
  const settled = await local("POST", "settle");
  expect(settled).toMatchObject({
    status: 200,
    body: { idle: true, pending: { functions: 0, queue_messages: 0, bus: 0 } },
  });
  expect((await service.call("GET", `/v2/ingest/${userId}/${body.receipt_id}`)).body.status).toBe("done");
});

test("settle does not wait for retries that are due later", async () => {
  const receiver = await Receiver.start(service, () => 500);
  const key = await createTeamWithReceiver(service, receiver);
  await ingestBatch(service, await service.createUser("failing", key), RATES, { key });
  expect((await local("POST", "settle")).body.idle).toBe(true);
  expect(receiver.received).toHaveLength(1);
  await receiver.stop();
});

/** Minimum number of characters of an operation id in the name of its function. */
const SHOWN_OF_A_NAME = 16;

test("the resources page lists everything that runs", async () => {
  const { body } = await local("GET", "resources");
  const isDeployed = (one: (typeof contracts)[number]) => one.kind === "endpoint" || !isOptional(one.trigger);
  for (const { operationId } of contracts.filter(isDeployed)) {
    // A physical name has at most 64 characters, so the end of a long one is truncated.
    expect(body.functions.join()).toContain(`-${operationId.slice(0, SHOWN_OF_A_NAME)}`);
  }
  expect(body.routes).toContainEqual({ api: "main", route: "GET /v2/user/{user_id}" });
  expect(body.routes).toContainEqual({ api: "management", route: "GET /v1/org/{org_id}/team" });
  expect(body.tables).toHaveLength(tables.length);
  expect(body.queues.length).toBeGreaterThanOrEqual(3);
  expect(body.dead_letters.length).toBeGreaterThanOrEqual(3);
  expect(body.rules.filter(({ schedule }: { schedule: unknown }) => schedule)).toHaveLength(
    consumers.filter(({ trigger }) => trigger.kind === "schedule" && !isOptional(trigger)).length,
  );
  expect(body.state_machines).toEqual([{ name: expect.any(String), executions: expect.any(Array) }]);
});

test("the resources page lists every dead-letter queue, including those of rules, schedules and streams", async () => {
  const { body } = await local("GET", "resources");
  const names = body.dead_letters.map(({ name }: { name: string }) => name).join();
  for (const name of ["Unrouted", "Undelivered", "relayEventsMissed", "sweepEventsMissed"])
    expect(names).toContain(name);
  expect(JSON.stringify(body.queues)).not.toMatch(/Missed|Unrouted|Undelivered|DeadLetter/);
});

test("fail_before fails a call before it takes effect", async () => {
  await local("POST", "faults", { service: "dynamodb", mode: "fail_before" });
  const failed = await service.call("POST", "/v2/user", { body: { client_user_id: "before" } });
  expect([failed.status, failed.body.code, failed.headers.get("retry-after")]).toEqual([503, "unavailable", "1"]);
  await local("DELETE", "faults");
  expect((await service.call("POST", "/v2/user", { body: { client_user_id: "before" } })).status).toBe(200);
});

test("fail_after loses the response of a call that took effect", async () => {
  const creator = findFunctionName(service, "createUser");
  const fault = { service: "dynamodb", function: creator, mode: "fail_after", every_attempt: true };
  const outcomes: string[] = [];
  // One of the first calls creates the user. Which one depends on caches and on calls in parallel.
  for (let attempt = 0; attempt < 60 && !outcomes.includes("failed and there"); attempt++) {
    const { body } = await local("POST", "faults", { ...fault, at_call: (attempt % 6) + 1 });
    expect(body).toMatchObject([{ service: "dynamodb", mode: "fail_after", probability: 1, struck: 0 }]);
    const { status } = await service.call("POST", "/v2/user", { body: { client_user_id: `after ${attempt}` } });
    await local("DELETE", "faults");
    const { status: found } = await service.call("GET", `/v2/user/resolve/after%20${attempt}`);
    outcomes.push(`${status < 400 ? "created" : "failed"} ${found === 200 ? "and there" : "and not there"}`);
  }
  expect(outcomes).toContain("failed and there");
  expect(outcomes).not.toContain("created and not there");
});

test("delay postpones a response", async () => {
  await local("POST", "faults", { service: "dynamodb", mode: "delay", delay_ms: 150 });
  const startedAt = performance.now();
  expect((await service.call("GET", "/v2/user/resolve/nobody")).status).toBe(404);
  expect(performance.now() - startedAt).toBeGreaterThanOrEqual(140);
});

test.each(["sqs", "s3", "events"])("faults of %s delay storage and lose nothing", { tags: "deep" }, async (name) => {
  const userId = await service.createUser(`faults of ${name}`);
  await local("POST", "faults", { service: name, mode: "fail_after", probability: 0.5, seed: 4 });
  const sent = await sendBatch(service, userId, RATES);
  await local("DELETE", "faults");
  if (sent.status !== 202) return expect(sent.status).toBe(503);
  await local("POST", "clock", { advance_seconds: 3_600 });
  const receipt = await service.call("GET", `/v2/ingest/${userId}/${sent.body.receipt_id}`);
  expect(receipt.body).toMatchObject({ status: "done", stored: 2 });
  return expect((await service.inbox()).filter(({ body }) => body.user_id === userId)).not.toEqual([]);
});

test("faults of http affect the attempts at webhooks", async () => {
  const receiver = await Receiver.start(service);
  const key = await createTeamWithReceiver(service, receiver);
  await local("POST", "faults", { service: "http", mode: "fail_before" });
  await ingestBatch(service, await service.createUser("unreachable", key), RATES, { key });
  expect(receiver.received).toEqual([]);
  await local("DELETE", "faults");
  // An attempt without a response may still take effect, so the next attempt waits.
  await local("POST", "clock", { advance_seconds: 120 });
  expect(receiver.received).toHaveLength(1);
  await receiver.stop();
});

test.each([
  { service: "ftp", mode: "delay" },
  { service: "sqs", mode: "explode" },
  { mode: "delay", probability: 2 },
  { mode: "delay", delay_ms: 2 ** 31 },
  {},
])("the fault %j is refused", async (body) => {
  expect((await local("POST", "faults", body)).status).toBe(422);
  expect((await local("GET", "faults")).body).toEqual([]);
});

test("the routes answer errors in the format of the API", async () => {
  const request_id = expect.any(String);
  const refusals = [
    ["POST", "clock", { advance_seconds: -1 }, 422, "validation_failed"],
    ["POST", "faults", { service: "ftp", mode: "delay" }, 422, "validation_failed"],
    ["POST", "clock", "{", 400, "malformed_body"],
    ["POST", "clock", "1".repeat(70_000), 413, "body_too_large"],
    ["POST", "inbox", "1".repeat(3_000_000), 413, "body_too_large"],
    ["GET", "inbox/deliveries/999999999", undefined, 404, "not_found"],
    ["GET", "traces/nothing", undefined, 404, "not_found"],
    ["GET", "nothing", undefined, 404, "route_not_found"],
  ] as const;
  for (const [method, path, sent, status, expected] of refusals) {
    const { body, ...answer } = await local(method, path, sent);
    expect([path, answer.status, body]).toEqual([
      path,
      status,
      { detail: expect.anything(), code: expected, request_id },
    ]);
  }
  expect((await local("POST", "clock", {})).body.detail).toEqual([
    { loc: ["body", "advance_seconds"], msg: expect.any(String), type: "invalid_type" },
  ]);
});

test("a control request that is not JSON is refused with 400, and an unknown page with 404", async () => {
  expect((await local("POST", "clock", "{")).status).toBe(400);
  expect((await local("GET", "nothing")).status).toBe(404);
  expect((await local("PUT", "clock")).status).toBe(404);
});

test("the meter counts requests and capacity units by table, by function and in total, until a reset", async () => {
  await service.settle();
  await local("DELETE", "meter");
  const empty = (await local("GET", "meter")).body;
  expect(empty.total).toEqual({ requests: 0, read_units: 0, write_units: 0 });
  await service.createUser("metered");
  const { total, tables, functions } = (await local("GET", "meter")).body;
  const creator = findFunctionName(service, "createUser");
  const [directory] = Object.keys(tables);
  expect(tables[directory ?? ""].TransactWriteItems).toEqual({
    requests: 1,
    read_units: 0,
    write_units: expect.any(Number),
  });
  expect(tables[directory ?? ""].TransactWriteItems.write_units).toBeGreaterThanOrEqual(4);
  expect(functions[creator].total).toEqual(total);
});

test("the meter counts requests of queues and the event bus", async () => {
  const userId = await service.createUser("queued");
  await service.settle();
  await local("DELETE", "meter");
  await ingestBatch(service, userId, RATES);
  const { queues, buses } = (await local("GET", "meter")).body;
  const requests = (of: object) => Object.values(of).flatMap((one) => Object.entries(one).map(([name]) => name));
  expect(requests(queues)).toContain("SendMessage");
  expect(requests(buses)).toEqual(["PutEvents"]);
});
