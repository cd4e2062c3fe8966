import {
  ChangeMessageVisibilityBatchCommand,
  DeleteMessageBatchCommand,
  QueueDoesNotExist,
  SendMessageBatchCommand,
} from "@aws-sdk/client-sqs";
import { describe, expect, test } from "vitest";
import { ordersQueue } from "./queue-fixture.ts";
import { startWithClient } from "./sqs-over-http.ts";

const QueueUrl = ordersQueue.url;

describe("a batch", () => {
  test("sends, hides and deletes entry by entry, and reports each refused entry", async () => {
    const { client, receive } = await startWithClient();
    const Entries = [
      { Id: "good", MessageBody: "1" },
      { Id: "late", MessageBody: "2", DelaySeconds: 901 },
      { Id: "control", MessageBody: "\u0000" },
    ];
    const sent = await client.send(new SendMessageBatchCommand({ QueueUrl, Entries }));
    expect(sent.Successful?.map((entry) => entry.Id)).toEqual(["good"]);
    expect(sent.Failed).toMatchObject([
      { Id: "late", SenderFault: true, Code: "InvalidParameterValue" },
      { Id: "control", SenderFault: true, Code: "InvalidMessageContents" },
    ]);
    const { ReceiptHandle } = (await receive())![0]!;
    const bad = { Id: "bad", ReceiptHandle: "nonsense" };
    const VisibilityTimeout = 60;
    const changes = [
      { Id: "a", ReceiptHandle, VisibilityTimeout },
      { ...bad, VisibilityTimeout },
    ];
    const changed = await client.send(new ChangeMessageVisibilityBatchCommand({ QueueUrl, Entries: changes }));
    expect(changed).toMatchObject({
      Successful: [{ Id: "a" }],
      Failed: [{ Id: "bad", Code: "ReceiptHandleIsInvalid" }],
    });
    const deletions = [{ Id: "a", ReceiptHandle }, bad];
    const deleted = await client.send(new DeleteMessageBatchCommand({ QueueUrl, Entries: deletions }));
    expect(deleted).toMatchObject({
      Successful: [{ Id: "a" }],
      Failed: [{ Id: "bad", Code: "ReceiptHandleIsInvalid" }],
    });
  });

  const entries = (count: number, MessageBody = "b") =>
    Array.from({ length: count }, (_, index) => ({ Id: `m${index}`, MessageBody }));

  test("of ten messages and 1 MiB in total is accepted", async () => {
    const { client, engine } = await startWithClient();
    await client.send(new SendMessageBatchCommand({ QueueUrl, Entries: entries(10, "x".repeat(104_857)) }));
    expect(engine.depth(QueueUrl).visible).toBe(10);
  });

  test.each([
    ["no entry", [], "EmptyBatchRequest"],
    ["eleven entries", entries(11), "TooManyEntriesInBatchRequest"],
    ["two entries of one id", [...entries(1), ...entries(1)], "BatchEntryIdsNotDistinct"],
    ["a malformed id", [{ Id: "a b", MessageBody: "b" }], "InvalidBatchEntryId"],
    ["more than 1 MiB in all", entries(10, "x".repeat(104_858)), "BatchRequestTooLong"],
  ])("with %s is refused as a whole", async (_, Entries, name) => {
    const { client, engine } = await startWithClient();
    const sending = client.send(new SendMessageBatchCommand({ QueueUrl, Entries }));
    await expect(sending).rejects.toMatchObject({ name });
    expect(engine.depth(QueueUrl).visible).toBe(0);
  });

  test("for an unknown queue is refused as a whole", async () => {
    const { client } = await startWithClient();
    const sending = client.send(new SendMessageBatchCommand({ QueueUrl: `${QueueUrl}x`, Entries: entries(1) }));
    await expect(sending).rejects.toBeInstanceOf(QueueDoesNotExist);
  });
});
