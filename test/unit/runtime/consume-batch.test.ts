import { type SendMessageCommand, SQSClient } from "@aws-sdk/client-sqs";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import * as z from "zod";
import { consumer, type Trigger } from "../../../lib/contract/consumer.ts";
import { ingestion } from "../../../lib/contract/queues.ts";
import { sampleTable } from "../../../lib/contract/resources.ts";
import { consume, consumeBatch } from "../../../lib/runtime/consume.ts";
import { PermanentError } from "../../../lib/runtime/errors.ts";
import { context } from "./request-event.ts";

const message = z.object({ id: z.string() });
const queue: Trigger = { kind: "queue", queue: ingestion, batchSize: 10, maxConcurrency: 2 };
const stream: Trigger = {
  kind: "stream",
  table: sampleTable,
  keyPrefix: "event#",
  sortKeyPrefix: "evt_",
  attribute: "unsent_shard",
  batchSize: 10,
  impact: "Items wait for the sweeper.",
};
const contractFor = (trigger: Trigger) =>
  consumer({ operationId: "tryMessages", tag: "events", summary: "Try messages", trigger, message, access: [] });

const sent = (id: string, body = JSON.stringify({ id })) => ({
  messageId: `message-${id}`,
  body,
  attributes: { MessageGroupId: "team-1" },
});
const item = (id: string) => ({
  eventID: `change-${id}`,
  dynamodb: {
    SequenceNumber: id,
    Keys: { pk: { S: "event#t#u" }, sk: { S: `evt_${id}` } },
    NewImage: { id: { S: id }, body: { B: "c2VjcmV0" } },
  },
});
const failures = (...ids: string[]) => ({ batchItemFailures: ids.map((itemIdentifier) => ({ itemIdentifier })) });

/** The error of each id. An id without an error succeeds. */
type Errors = Readonly<Record<string, Error>>;

const together = (trigger: Trigger, errors: Errors = {}, calls: string[][] = []) =>
  consumeBatch(contractFor(trigger), async (deliveries) => {
    calls.push(deliveries.map((delivery) => delivery.message.id));
    return deliveries.flatMap((delivery) => {
      const error = errors[delivery.message.id];
      return error ? [{ delivery, error }] : [];
    });
  });
const oneByOne = (trigger: Trigger, errors: Errors = {}) =>
  consume(contractFor(trigger), async (delivery) => {
    const error = errors[delivery.message.id];
    if (error) throw error;
  });
const handle = (handler: ReturnType<typeof consume>, ...Records: unknown[]) => handler({ Records } as never, context);

const lines: string[] = [];
const sqsSend = vi.spyOn(SQSClient.prototype, "send");
beforeEach(() => {
  process.env.DEAD_LETTERS_TRY_MESSAGES = "https://sqs.example.com/dead";
  lines.length = 0;
  vi.spyOn(console, "error").mockImplementation((line) => void lines.push(line));
  sqsSend.mockReset().mockImplementation(async () => ({}));
});
afterEach(() => void delete process.env.DEAD_LETTERS_TRY_MESSAGES);

/** The messages sent to the dead-letter queue. */
const letters = () => sqsSend.mock.calls.map(([command]) => (command as SendMessageCommand).input);

describe("a batch that is handled together", () => {
  test("reaches the function in one call, and only the items that it names are redelivered", async () => {
    const calls: string[][] = [];
    const handler = together(queue, { b: new Error("not now") }, calls);
    expect(await handle(handler, sent("a"), sent("b"), sent("c"))).toEqual(failures("message-b"));
    expect(calls).toEqual([["a", "b", "c"]]);
    expect(lines.map((line) => JSON.parse(line).message_id)).toEqual(["message-b"]);
  });

  test("is redelivered completely when the function throws", async () => {
    const handler = consumeBatch(contractFor(queue), async () => {
      throw new Error("nothing works");
    });
    expect(await handle(handler, sent("a"), sent("b"))).toEqual(failures("message-a", "message-b"));
  });

  test("excludes invalid messages, and is not passed to the function when empty", async () => {
    const calls: string[][] = [];
    const handler = together(queue, {}, calls);
    expect(await handle(handler, sent("a"), sent("x", "{}"))).toEqual(failures());
    expect(await handle(handler, sent("y", "no JSON"))).toEqual(failures());
    expect(calls).toEqual([["a"]]);
    expect(letters().map(({ MessageBody }) => MessageBody)).toEqual(["{}", "no JSON"]);
  });

  test("reports which messages the queue delivers again", async () => {
    const seen: unknown[] = [];
    const handler = consumeBatch(contractFor(queue), async (deliveries) => {
      seen.push(...deliveries.map(({ message, isRedelivered }) => [message.id, isRedelivered]));
      return [];
    });
    const received = (id: string, count: string) => ({ ...sent(id), attributes: { ApproximateReceiveCount: count } });
    await handle(handler, received("a", "1"), received("b", "2"), received("c", "10"));
    expect(seen).toEqual([
      ["a", false],
      ["b", true],
      ["c", true],
    ]);
  });

  test("of a stream reports failed items by their sequence numbers", async () => {
    const handler = together(stream, { "2": new Error("not now") });
    expect(await handle(handler, item("1"), item("2"), item("3"))).toEqual(failures("2"));
  });
});

test.each([
  ["one by one", oneByOne],
  ["together", together],
])(
  "a batch of ten messages handled %s redelivers exactly the failing ones, for every subset",
  { tags: "deep" },
  async (_, handlerWith) => {
    const ids = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j"];
    const error = new Error("not now");
    for (let subset = 0; subset < 2 ** ids.length; subset++) {
      const failing = ids.filter((_, index) => (subset >> index) & 1);
      const handler = handlerWith(queue, Object.fromEntries(failing.map((id) => [id, error])));
      const answer = await handle(handler, ...ids.map((id) => sent(id)));
      expect(answer).toEqual(failures(...failing.map((id) => `message-${id}`)));
    }
  },
);

test("two concurrent batches in one process are independent", async () => {
  const gate = Promise.withResolvers<void>();
  const handler = consume(contractFor(queue), async (delivery) => {
    if (delivery.message.id === "slow") await gate.promise;
    if (delivery.message.id !== "good") throw new Error("not now");
  });
  const slow = handle(handler, sent("slow"));
  expect(await handle(handler, sent("good"), sent("bad"))).toEqual(failures("message-bad"));
  gate.resolve();
  expect(await slow).toEqual(failures("message-slow"));
});

describe.each([
  ["one by one", oneByOne],
  ["together", together],
])("a permanent error of a message handled %s", (_, handlerWith) => {
  const never = new PermanentError("the summary has no kind");

  test("moves the unchanged message to the dead-letter queue at once, with the reason", async () => {
    const handler = handlerWith(queue, { b: never });
    expect(await handle(handler, sent("a"), sent("b"))).toEqual(failures());
    expect(letters()).toEqual([
      {
        QueueUrl: "https://sqs.example.com/dead",
        MessageBody: '{"id":"b"}',
        MessageGroupId: "team-1",
        MessageAttributes: {
          reason: { DataType: "String", StringValue: "the summary has no kind" },
          message_id: { DataType: "String", StringValue: "message-b" },
          traceparent: { DataType: "String", StringValue: expect.stringMatching(/^00-[\da-f]{32}-[\da-f]{16}-01$/) },
        },
      },
    ]);
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ message_id: "message-b", error: "PermanentError" }]);
  });

  test("leaves the message to normal retries when the dead-letter queue fails", async () => {
    sqsSend.mockImplementation(async () => {
      throw new Error("ECONNRESET");
    });
    expect(await handle(handlerWith(queue, { b: never }), sent("a"), sent("b"))).toEqual(failures("message-b"));
    delete process.env.DEAD_LETTERS_TRY_MESSAGES;
    expect(await handle(handlerWith(queue, { b: never }), sent("b"))).toEqual(failures("message-b"));
  });

  test("of a stream sends the keys of the item and never its content", async () => {
    expect(await handle(handlerWith(stream, { "1": never }), item("1"), item("2"))).toEqual(failures());
    expect(letters()).toMatchObject([{ MessageBody: '{"pk":"event#t#u","sk":"evt_1"}' }]);
    expect(JSON.stringify(letters())).not.toContain("c2VjcmV0");
  });
});

test("an ordinary error sends nothing to the dead-letter queue", async () => {
  await handle(oneByOne(queue, { a: new Error("not now") }), sent("a"));
  expect(letters()).toEqual([]);
});
