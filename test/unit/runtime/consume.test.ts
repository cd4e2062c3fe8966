import { inspect } from "node:util";
import type { DynamoDBStreamEvent, SQSEvent } from "aws-lambda";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import * as z from "zod";
import { consumer, type Trigger } from "../../../lib/contract/consumer.ts";
import { ingestion } from "../../../lib/contract/queues.ts";
import { sampleTable } from "../../../lib/contract/resources.ts";
import { consume } from "../../../lib/runtime/consume.ts";
import { context } from "./request-event.ts";

const message = z.object({ id: z.string(), count: z.number().optional() });
const contractFor = (trigger: Trigger) =>
  consumer({ operationId: "tryMessages", tag: "events", summary: "Try messages", trigger, message, access: [] });

/** Handles one event. The function fails for `failingIds`. @returns the function's inputs and the response. */
async function handle(trigger: Trigger, event: unknown, failingIds: readonly string[] = []) {
  const seen: z.output<typeof message>[] = [];
  const handler = consume(contractFor(trigger), async (delivery) => {
    seen.push(delivery.message);
    if (failingIds.includes(delivery.message.id)) throw new Error("not now");
    return { handled: delivery.message.id };
  });
  return { seen, answer: await handler(event as never, context) };
}

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
const task: Trigger = { kind: "task" };

const record = (id: string, body: string) => ({
  messageId: `message-${id}`,
  receiptHandle: "",
  body,
  attributes: { ApproximateReceiveCount: "1", SentTimestamp: "0", SenderId: "", ApproximateFirstReceiveTimestamp: "0" },
  messageAttributes: {},
  md5OfBody: "",
  eventSource: "aws:sqs",
  eventSourceARN: "",
  awsRegion: "us-east-1",
});
const messages = (...ids: string[]): SQSEvent => ({ Records: ids.map((id) => record(id, JSON.stringify({ id }))) });

beforeEach(() => void vi.spyOn(console, "error").mockImplementation(() => undefined));
afterEach(() => void vi.restoreAllMocks());

describe("a queue's batch", () => {
  test("is handled message by message, and only failed messages are redelivered", async () => {
    const { seen, answer } = await handle(queue, messages("a", "b", "c"), ["b"]);
    expect(seen.map(({ id }) => id)).toEqual(["a", "b", "c"]);
    expect(answer).toEqual({ batchItemFailures: [{ itemIdentifier: "message-b" }] });
  });

  test("reports every message when all fail", async () => {
    const { answer } = await handle(queue, messages("a", "b"), ["a", "b"]);
    expect(answer).toEqual({ batchItemFailures: [{ itemIdentifier: "message-a" }, { itemIdentifier: "message-b" }] });
  });

  test("passes no invalid message to the function", async () => {
    const { seen, answer } = await handle(queue, { Records: [record("x", "{}"), record("y", "no JSON")] });
    expect(seen).toEqual([]);
    const failures = [{ itemIdentifier: "message-x" }, { itemIdentifier: "message-y" }];
    expect(answer).toEqual({ batchItemFailures: expect.arrayContaining(failures) });
  });
});

describe("a stream's batch", () => {
  test("passes the strings and numbers of new items", async () => {
    const item = { id: { S: "a" }, count: { N: "3" }, body: { B: "AA==" } };
    const event = { Records: [{ eventID: "1", dynamodb: { SequenceNumber: "9", NewImage: item } }] };
    const { seen, answer } = await handle(stream, event satisfies DynamoDBStreamEvent | object);
    expect(seen).toEqual([{ id: "a", count: 3 }]);
    expect(answer).toEqual({ batchItemFailures: [] });
  });

  test("reports a failed item by its sequence number", async () => {
    const event = { Records: [{ eventID: "1", dynamodb: { SequenceNumber: "9", NewImage: { id: { S: "a" } } } }] };
    expect((await handle(stream, event, ["a"])).answer).toEqual({ batchItemFailures: [{ itemIdentifier: "9" }] });
  });
});

describe("a task", () => {
  test("returns the function's result", async () => {
    expect((await handle(task, { id: "a" })).answer).toEqual({ handled: "a" });
  });

  test("fails with the function and for an invalid input", async () => {
    await expect(handle(task, { id: "a" }, ["a"])).rejects.toThrow("the function failed");
    await expect(handle(task, { id: 1 })).rejects.toMatchObject({ name: "PermanentError" });
  });

  test("exposes neither the message nor the stack of an error to its caller", async () => {
    const failed = handle(task, { id: "a" }, ["a"]).catch((error: unknown) => inspect(error));
    expect(await failed).not.toMatch(/not now|consume\.test/);
  });
});
