import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import {
  DescribeRuleCommand,
  EventBridgeClient,
  ListRulesCommand,
  PutEventsCommand,
  TestEventPatternCommand,
} from "@aws-sdk/client-eventbridge";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { VirtualClock } from "../../../lib/local/clock.ts";
import { EventBus } from "../../../lib/local/events/event-bus.ts";
import { handleEvents } from "../../../lib/local/events/events-protocol.ts";

const ORIGIN = { accountId: "000000000000", region: "us-east-1" };
const ARN = "arn:aws:events:us-east-1:000000000000";
const payloads: string[] = [];
const clock = new VirtualClock();
let bus: EventBus;
let server: Server;
let client: EventBridgeClient;

beforeAll(async () => {
  bus = new EventBus({ path: ":memory:", clock, deliver: async (_arn, payload) => void payloads.push(payload) });
  bus.addBus("default", `${ARN}:event-bus/default`);
  const targets = [{ id: "t", arn: "arn:queue" }];
  const pattern = { source: ["shop"] };
  bus.addRule({ name: "orders", arn: `${ARN}:rule/orders`, busName: "default", pattern, enabled: true, targets });
  const schedule = "rate(5 minutes)";
  bus.addRule({ name: "sweep", arn: `${ARN}:rule/sweep`, busName: "default", schedule, enabled: false, targets });
  server = createServer(async (request, response) => {
    const action = String(request.headers["x-amz-target"]).replace("AWSEvents.", "");
    const { status, body } = await handleEvents(bus, action, await json(request), ORIGIN);
    response.writeHead(status, { "content-type": "application/x-amz-json-1.1" }).end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  client = new EventBridgeClient({
    endpoint: `http://127.0.0.1:${port}`,
    region: "us-east-1",
    credentials: { accessKeyId: "test", secretAccessKey: "test" },
    maxAttempts: 1,
  });
});

afterAll(() => {
  client.destroy();
  server.close();
  bus.close();
  clock.stop();
});

test("PutEvents delivers events, and returns a result per entry", async () => {
  const time = new Date("2026-01-02T03:04:05Z");
  const answer = await client.send(
    new PutEventsCommand({
      Entries: [
        { Source: "shop", DetailType: "order.created", Detail: '{"a":1}', Time: time },
        { Source: "shop", DetailType: "order.created", Detail: "oops" },
        { Source: "elsewhere", DetailType: "order.created", Detail: "{}" },
      ],
    }),
  );
  expect(answer.FailedEntryCount).toBe(1);
  expect(answer.Entries).toEqual([
    { EventId: expect.any(String) },
    { ErrorCode: "MalformedDetail", ErrorMessage: "Detail is malformed." },
    { EventId: expect.any(String) },
  ]);
  expect(payloads.map((payload) => JSON.parse(payload))).toMatchObject([
    { id: answer.Entries?.[0]?.EventId, time: "2026-01-02T03:04:05Z", detail: { a: 1 } },
  ]);
});

test("PutEvents with more than ten entries fails with a ValidationException", async () => {
  const entries = Array(11).fill({ Source: "shop", DetailType: "d", Detail: "{}" });
  await expect(client.send(new PutEventsCommand({ Entries: entries }))).rejects.toMatchObject({
    name: "ValidationException",
    $metadata: { httpStatusCode: 400 },
  });
});

test("ListRules lists rules by prefix", async () => {
  const { Rules: all = [] } = await client.send(new ListRulesCommand({}));
  const { Rules: some = [] } = await client.send(new ListRulesCommand({ NamePrefix: "sw" }));
  expect(all.map((rule) => rule.Name)).toEqual(["orders", "sweep"]);
  expect(some).toEqual([
    {
      Name: "sweep",
      Arn: `${ARN}:rule/sweep`,
      EventBusName: "default",
      State: "DISABLED",
      ScheduleExpression: "rate(5 minutes)",
    },
  ]);
});

test("DescribeRule returns the rule", async () => {
  expect(await client.send(new DescribeRuleCommand({ Name: "orders" }))).toMatchObject({
    Name: "orders",
    State: "ENABLED",
    EventPattern: '{"source":["shop"]}',
  });
});

test("unknown rules and buses fail with a ResourceNotFoundException", async () => {
  const name = "ResourceNotFoundException";
  await expect(client.send(new DescribeRuleCommand({ Name: "none" }))).rejects.toMatchObject({ name });
  await expect(client.send(new ListRulesCommand({ EventBusName: "none" }))).rejects.toMatchObject({ name });
});

describe("TestEventPattern", () => {
  const event = { id: "1", account: "0", source: "shop", time: "t", region: "r", resources: [], "detail-type": "d" };
  const check = (pattern: string, tested: unknown = event) =>
    client.send(new TestEventPatternCommand({ EventPattern: pattern, Event: JSON.stringify(tested) }));

  test("reports whether the pattern matches", async () => {
    expect((await check('{"source":["shop"]}')).Result).toBe(true);
    expect((await check('{"source":["other"]}')).Result).toBe(false);
  });

  test.each(['{"source":[{"prefx":"a"}]}', "not json"])("refuses the pattern %s", async (pattern) => {
    await expect(check(pattern)).rejects.toMatchObject({ name: "InvalidEventPatternException" });
  });

  test("refuses an event without its required fields", async () => {
    const { region: _region, ...incomplete } = event;
    await expect(check('{"source":["shop"]}', incomplete)).rejects.toMatchObject({ name: "ValidationException" });
  });
});

test("an unknown action and a malformed request are refused", async () => {
  expect((await handleEvents(bus, "PutRule", {}, ORIGIN)).body.__type).toBe("UnknownOperationException");
  expect((await handleEvents(bus, "PutEvents", { Entries: "x" }, ORIGIN)).body.__type).toBe("SerializationException");
});
