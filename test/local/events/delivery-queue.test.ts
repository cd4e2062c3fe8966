import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { DeliveryError } from "../../../lib/local/events/delivery-error.ts";
import type { Deliver, RuleTarget } from "../../../lib/local/events/rules.ts";
import { ENTRY, EVENTS_ARN, ORIGIN, RecordingBus } from "./recording-bus.ts";

const QUEUE_ARN = "arn:aws:sqs:us-east-1:000000000000:orders";
const DEAD_LETTER_ARN = "arn:aws:sqs:us-east-1:000000000000:orders-dead";
let local: RecordingBus;

const addRule = (target: Partial<RuleTarget> = {}) =>
  local.bus.addRule({
    name: "orders",
    arn: `${EVENTS_ARN}:rule/orders`,
    busName: "default",
    pattern: { source: ["shop"] },
    enabled: true,
    targets: [{ id: "t1", arn: QUEUE_ARN, ...target }],
  });
const failing: Deliver = async (arn) => {
  if (arn === QUEUE_ARN) throw new Error("queue is down");
};

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.UTC(2026, 10, 20, 12, 0, 0) });
  local = new RecordingBus();
});

afterEach(() => {
  local.close();
  vi.useRealTimers();
});

test.each([
  ["$.detail.order_id", "o1"],
  ["orders", "orders"],
])("the message group %s of a target becomes %s", async (messageGroupId, group) => {
  addRule({ sqs: { messageGroupId } });
  await local.bus.putEvents([ENTRY], ORIGIN);
  await local.settle();
  expect(local.delivered.map(({ target }) => target.sqs?.messageGroupId)).toEqual([group]);
});

describe("a failed delivery", () => {
  test("is retried with exponential backoff until it succeeds", async () => {
    addRule();
    local.answer = async () => {
      if (local.delivered.length < 5) throw new Error("busy");
    };
    await local.bus.putEvents([ENTRY], ORIGIN);
    await local.settle();
    await local.advanceS(3600);
    expect(local.delivered.map(({ atS }) => atS)).toEqual([0, 1, 3, 7, 15]);
    expect(local.bus.counts).toEqual({ deadLettered: 0, dropped: 0 });
  });

  test("moves to the dead-letter queue after 185 retries within 24 hours by default", async () => {
    addRule({ deadLetterArn: DEAD_LETTER_ARN });
    local.answer = failing;
    await local.bus.putEvents([ENTRY], ORIGIN);
    await local.settle();
    await local.advanceS(24 * 3600);
    expect(local.delivered).toHaveLength(1 + 185 + 1);
    const dead = local.delivered.at(-1);
    expect(dead?.arn).toBe(DEAD_LETTER_ARN);
    expect(JSON.parse(dead?.payload ?? "")).toMatchObject({ source: "shop", detail: { order_id: "o1" } });
    expect(dead?.target.messageAttributes).toEqual({
      RULE_ARN: `${EVENTS_ARN}:rule/orders`,
      TARGET_ARN: QUEUE_ARN,
      ERROR_CODE: "ERROR_FROM_TARGET",
      ERROR_MESSAGE: "queue is down",
      EXHAUSTED_RETRY_CONDITION: "MaximumRetryAttempts",
      RETRY_ATTEMPTS: "185",
    });
    expect(local.bus.counts).toEqual({ deadLettered: 1, dropped: 0 });
  });

  test("gets a last attempt at its maximum age", async () => {
    const retry = { maximumEventAgeS: 60 };
    addRule({ deadLetterArn: DEAD_LETTER_ARN, retry });
    local.answer = failing;
    await local.bus.putEvents([ENTRY], ORIGIN);
    await local.settle();
    await local.advanceS(3600);
    expect(local.delivered.map(({ atS }) => atS)).toEqual([0, 1, 3, 7, 15, 31, 60, 60]);
    expect(local.delivered.at(-1)?.target.messageAttributes).toMatchObject({
      EXHAUSTED_RETRY_CONDITION: "MaximumEventAgeInSeconds",
      RETRY_ATTEMPTS: "6",
    });
  });

  test("is not retried after a permanent error", async () => {
    addRule({ deadLetterArn: DEAD_LETTER_ARN });
    local.answer = async (arn) => {
      if (arn === QUEUE_ARN) throw new DeliveryError("NO_PERMISSIONS", "not allowed", false);
    };
    await local.bus.putEvents([ENTRY], ORIGIN);
    await local.settle();
    expect(local.delivered.map(({ arn }) => arn)).toEqual([QUEUE_ARN, DEAD_LETTER_ARN]);
    const attributes = local.delivered[1]?.target.messageAttributes;
    expect(attributes).toMatchObject({ ERROR_CODE: "NO_PERMISSIONS", RETRY_ATTEMPTS: "0" });
    expect(attributes).not.toHaveProperty("EXHAUSTED_RETRY_CONDITION");
  });

  test("is not retried if the event gives no valid input", async () => {
    const transformer = { inputPathsMap: { name: "$.detail.name" }, inputTemplate: '{"text": "<name>"}' };
    addRule({ deadLetterArn: DEAD_LETTER_ARN, inputTransformer: transformer });
    await local.bus.putEvents([{ ...ENTRY, Detail: '{"name":"the \\"great\\""}' }], ORIGIN);
    await local.settle();
    expect(local.delivered.map(({ target: to }) => to.messageAttributes?.ERROR_CODE)).toEqual(["INVALID_JSON"]);
  });

  test.each([
    ["there is no dead-letter queue", {}],
    ["the dead-letter queue fails too", { deadLetterArn: DEAD_LETTER_ARN }],
  ])("is counted as dropped if %s", async (_why, more) => {
    addRule({ ...more, retry: { maximumRetryAttempts: 0 } });
    local.answer = async () => {
      throw new Error("down");
    };
    await local.bus.putEvents([ENTRY], ORIGIN);
    await local.settle();
    expect(local.bus.counts).toEqual({ deadLettered: 0, dropped: 1 });
    await local.advanceS(24 * 3600);
    expect(local.delivered.filter(({ arn }) => arn === QUEUE_ARN)).toHaveLength(1);
  });

  test("does not delay another that is retried at the same instant", async () => {
    addRule();
    local.answer = async () => {
      if (local.delivered.length <= 2) throw new Error("busy");
    };
    await local.bus.putEvents([ENTRY, ENTRY], ORIGIN);
    await local.settle();
    await local.advanceS(60);
    expect(local.delivered.map(({ atS }) => atS)).toEqual([0, 0, 1, 1]);
  });

  test("does not count as pending while it waits for its retry", async () => {
    addRule();
    local.answer = failing;
    await local.bus.putEvents([ENTRY], ORIGIN);
    expect(local.bus.pending()).toBe(1);
    await local.settle();
    expect(local.bus.pending()).toBe(0);
  });
});
