import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { Rule, RuleTarget } from "../../../lib/local/events/rules.ts";
import { ENTRY, EVENTS_ARN, ORIGIN, RecordingBus } from "./recording-bus.ts";

const QUEUE_ARN = "arn:aws:sqs:us-east-1:000000000000:orders";
let local: RecordingBus;

const rule = (more: Partial<Rule> = {}): Rule => ({
  name: "orders",
  arn: `${EVENTS_ARN}:rule/orders`,
  busName: "default",
  pattern: { source: ["shop"] },
  enabled: true,
  targets: [{ id: "t1", arn: QUEUE_ARN }],
  ...more,
});
const target = (more: Partial<RuleTarget> = {}): RuleTarget => ({ id: "t1", arn: QUEUE_ARN, ...more });

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.UTC(2026, 10, 20, 12, 0, 0) });
  local = new RecordingBus();
});

afterEach(() => {
  local.close();
  vi.useRealTimers();
});

describe("putEvents", () => {
  test("delivers the full envelope to each target of each matching rule", async () => {
    local.bus.addRule(
      rule({ targets: [target(), target({ id: "t2", arn: `${QUEUE_ARN}-2`, inputPath: "$.detail" })] }),
    );
    local.bus.addRule(rule({ name: "other", pattern: { source: ["none"] } }));
    const [result] = await local.bus.putEvents([{ ...ENTRY, Resources: ["arn:x"], Time: 1_700_000_000 }], ORIGIN);
    await local.settle();
    expect(local.delivered.map(({ arn }) => arn)).toEqual([QUEUE_ARN, `${QUEUE_ARN}-2`]);
    expect(JSON.parse(local.delivered[0]?.payload ?? "")).toEqual({
      version: "0",
      id: result && "EventId" in result ? result.EventId : "none",
      "detail-type": "order.created",
      source: "shop",
      account: "000000000000",
      time: "2023-11-14T22:13:20Z",
      region: "us-east-1",
      resources: ["arn:x"],
      detail: { order_id: "o1" },
    });
    expect(local.delivered[1]?.payload).toBe('{"order_id":"o1"}');
  });

  test("stamps events without a time with the virtual time", async () => {
    local.bus.addRule(rule());
    await local.advanceS(3600);
    await local.bus.putEvents([ENTRY], ORIGIN);
    expect(JSON.parse(local.delivered[0]?.payload ?? "").time).toBe("2026-11-20T13:00:00Z");
  });

  test.each([
    [{ Source: undefined }, "InvalidArgument", "Parameter Source is not valid. Reason: Source is a required argument."],
    [
      { DetailType: "" },
      "InvalidArgument",
      "Parameter DetailType is not valid. Reason: DetailType is a required argument.",
    ],
    [{ Detail: undefined }, "InvalidArgument", "Parameter Detail is not valid. Reason: Detail is a required argument."],
    [{ Detail: "{oops" }, "MalformedDetail", "Detail is malformed."],
    [{ Detail: "[1]" }, "MalformedDetail", "Detail is malformed."],
    [{ Source: "aws.ec2" }, "NotAuthorizedForSourceException", "Not authorized for the source."],
  ])("refuses an entry with %j alone, and accepts the others", async (wrong, code, message) => {
    local.bus.addRule(rule({ pattern: { version: ["0"] } }));
    const results = await local.bus.putEvents([ENTRY, { ...ENTRY, ...wrong }, ENTRY], ORIGIN);
    expect(results).toEqual([
      { EventId: expect.any(String) },
      { ErrorCode: code, ErrorMessage: message },
      { EventId: expect.any(String) },
    ]);
    expect(local.delivered).toHaveLength(2);
  });

  test("accepts up to ten entries per call", async () => {
    expect(await local.bus.putEvents(Array(10).fill(ENTRY), ORIGIN)).toHaveLength(10);
    await expect(local.bus.putEvents(Array(11).fill(ENTRY), ORIGIN)).rejects.toMatchObject({
      code: "ValidationException",
    });
    await expect(local.bus.putEvents([], ORIGIN)).rejects.toMatchObject({ code: "ValidationException" });
  });

  test("refuses a call whose entries reach 1 MB in total, counted as on AWS", async () => {
    const bytesBesidesDetail = "shop".length + "order.created".length + 14 + "arn:x".length;
    const detail = (bytes: number) => JSON.stringify({ a: "é".repeat((bytes - '{"a":""}'.length) / 2) });
    const entry = (bytes: number) => ({ ...ENTRY, Time: 1, Resources: ["arn:x"], Detail: detail(bytes) });
    const half = 512 * 1024 - bytesBesidesDetail;
    await expect(local.bus.putEvents([entry(half), entry(half)], ORIGIN)).rejects.toThrow("over the limit");
    expect(await local.bus.putEvents([entry(half), entry(half - 2)], ORIGIN)).toHaveLength(2);
  });

  test("reports success for an unknown bus and counts the dropped event", async () => {
    local.bus.addRule(rule());
    const results = await local.bus.putEvents([{ ...ENTRY, EventBusName: "nowhere" }], ORIGIN);
    expect(results).toEqual([{ EventId: expect.any(String) }]);
    expect(local.bus.droppedUnknownBus).toBe(1);
    expect(local.delivered).toEqual([]);
  });

  test("reaches only the rules of the named bus, by name or ARN", async () => {
    local.bus.addBus("team", `${EVENTS_ARN}:event-bus/team`);
    local.bus.addRule(rule());
    local.bus.addRule(
      rule({ name: "team-rule", busName: `${EVENTS_ARN}:event-bus/team`, targets: [target({ arn: "arn:team" })] }),
    );
    await local.bus.putEvents([{ ...ENTRY, EventBusName: "team" }], ORIGIN);
    await local.bus.putEvents([{ ...ENTRY, EventBusName: `${EVENTS_ARN}:event-bus/team` }], ORIGIN);
    expect(local.delivered.map(({ arn }) => arn)).toEqual(["arn:team", "arn:team"]);
  });

  test("skips disabled rules", async () => {
    local.bus.addRule(rule({ enabled: false }));
    await local.bus.putEvents([ENTRY], ORIGIN);
    expect(local.delivered).toEqual([]);
  });
});

test("a schedule sends a Scheduled Event and stores the time of its run", async () => {
  const arn = `${EVENTS_ARN}:rule/sweep`;
  const schedule = { ruleName: "sweep", expression: "rate(1 minute)", targetArns: [QUEUE_ARN] };
  local.bus.addRule(rule({ name: "sweep", arn, pattern: undefined, schedule: "rate(1 minute)" }));
  local.bus.addRule(rule({ name: "off", schedule: "rate(1 minute)", enabled: false }));
  expect(local.bus.schedules()).toEqual([{ ...schedule, lastRunAt: undefined }]);
  local.answer = async () => ({ done: 3 });
  expect(await local.bus.runSchedule("sweep")).toEqual([{ done: 3 }]);
  expect(local.bus.schedules()).toEqual([{ ...schedule, lastRunAt: Date.UTC(2026, 10, 20, 12, 0, 0) }]);
  expect(JSON.parse(local.delivered[0]?.payload ?? "")).toEqual({
    version: "0",
    id: expect.any(String),
    "detail-type": "Scheduled Event",
    source: "aws.events",
    account: "000000000000",
    time: "2026-11-20T12:00:00Z",
    region: "us-east-1",
    resources: [arn],
    detail: {},
  });
});

test.each<[string, Partial<Rule>, string]>([
  ["an unknown operator", { pattern: { detail: { a: [{ prefx: "b" }] } } }, 'detail.a[0]: unknown operator "prefx"'],
  ["an unknown bus", { busName: "nowhere" }, "the bus nowhere does not exist"],
  ["neither pattern nor schedule", { pattern: undefined }, "needs a pattern or a schedule"],
  ["a bad schedule", { schedule: "rate(5 seconds)" }, "Schedule expression rate(5 seconds)"],
  ["a bad input", { targets: [{ id: "t", arn: "a", input: "{" }] }, "not valid JSON"],
])("a rule with %s is refused by name", (_why, wrong, message) => {
  expect(() => local.bus.addRule(rule(wrong))).toThrow(`Rule orders: `);
  expect(() => local.bus.addRule(rule(wrong))).toThrow(message);
});
