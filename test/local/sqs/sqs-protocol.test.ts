import {
  ChangeMessageVisibilityCommand,
  DeleteMessageCommand,
  GetQueueAttributesCommand,
  GetQueueUrlCommand,
  ListQueuesCommand,
  PurgeQueueCommand,
  SendMessageCommand,
  StartMessageMoveTaskCommand,
} from "@aws-sdk/client-sqs";
import { describe, expect, test, vi } from "vitest";
import { advance, deadLetterQueue, ordersQueue } from "./queue-fixture.ts";
import { startWithClient } from "./sqs-over-http.ts";

const QueueUrl = ordersQueue.url;

describe("a message", () => {
  test("is sent and received with digests that the SDK accepts, and only the requested attributes", async () => {
    const { client, receive } = await startWithClient();
    const MessageAttributes = {
      kind: { DataType: "String", StringValue: "sleep" },
      count: { DataType: "Number.int", StringValue: "42" },
      raw: { DataType: "Binary", BinaryValue: Uint8Array.of(0, 1, 255) },
    };
    const input = { QueueUrl, MessageBody: "größer ✓", MessageAttributes, MessageGroupId: "team-1" };
    const sent = await client.send(new SendMessageCommand(input));
    expect(sent.MD5OfMessageAttributes).toBe("8d249a8b3ce52928022eaf80465a2f3a");
    const again = { VisibilityTimeout: 0 };
    const [plain] = (await receive(again)) ?? [];
    expect(plain).toMatchObject({ MessageId: sent.MessageId, Body: "größer ✓", MD5OfBody: sent.MD5OfMessageBody });
    expect(plain).not.toHaveProperty("Attributes");
    expect(plain).not.toHaveProperty("MessageAttributes");
    const [full] = (await receive({
      MessageAttributeNames: ["All"],
      MessageSystemAttributeNames: ["ApproximateReceiveCount", "MessageGroupId"],
    }))!;
    expect(full).toMatchObject({ MessageAttributes, MD5OfMessageAttributes: sent.MD5OfMessageAttributes });
    expect(full!.Attributes).toEqual({ ApproximateReceiveCount: "2", MessageGroupId: "team-1" });
  });

  test("returns the attributes that match a prefix, with their own digest", async () => {
    const { client, receive } = await startWithClient();
    const text = (StringValue: string) => ({ DataType: "String", StringValue });
    const MessageAttributes = { "trace.id": text("1"), "trace.span": text("2"), other: text("3") };
    const sent = await client.send(new SendMessageCommand({ QueueUrl, MessageBody: "b", MessageAttributes }));
    const [message] = (await receive({ MessageAttributeNames: ["trace.*"] }))!;
    expect(Object.keys(message!.MessageAttributes!)).toEqual(["trace.id", "trace.span"]);
    expect(message!.MD5OfMessageAttributes).not.toBe(sent.MD5OfMessageAttributes);
  });

  test("is hidden by its delay, returned by a visibility change and removed by its deletion", async () => {
    const { clock, client, receive } = await startWithClient();
    await client.send(new SendMessageCommand({ QueueUrl, MessageBody: "b", DelaySeconds: 900 }));
    expect(await receive()).toBeUndefined();
    await advance(clock, 900_000);
    const { ReceiptHandle } = (await receive())![0]!;
    expect(await receive()).toBeUndefined();
    await client.send(new ChangeMessageVisibilityCommand({ QueueUrl, ReceiptHandle, VisibilityTimeout: 0 }));
    const again = (await receive())![0]!;
    await client.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle: again.ReceiptHandle }));
    await advance(clock, 60_000);
    expect(await receive()).toBeUndefined();
  });

  // The timeout of the test is shorter than the wait: a response at the end of the wait is too late.
  test("wakes a long poll at once", { timeout: 10_000 }, async () => {
    const { engine, send, receive } = await startWithClient();
    const polling = vi.spyOn(engine, "receive");
    const polled = receive({ WaitTimeSeconds: 20 });
    await vi.waitFor(() => expect(polling).toHaveBeenCalled());
    await send("b");
    expect((await polled)?.map((message) => message.Body)).toEqual(["b"]);
  });

  test("has at most 1 MiB with its attributes", async () => {
    const { client, send } = await startWithClient();
    await send("x".repeat(1_048_576));
    await expect(send("x".repeat(1_048_577))).rejects.toThrow("Message must be shorter than 1048576 bytes");
    const MessageAttributes = { a: { DataType: "String", StringValue: "v" } };
    const oversized = new SendMessageCommand({ QueueUrl, MessageBody: "x".repeat(1_048_569), MessageAttributes });
    await expect(client.send(oversized)).rejects.toThrow("Message must be shorter than 1048576 bytes");
  });
});

describe("a queue", () => {
  test("is found by its name and listed by its prefix", async () => {
    const { client } = await startWithClient();
    expect(await client.send(new GetQueueUrlCommand({ QueueName: "orders" }))).toMatchObject({ QueueUrl });
    expect((await client.send(new ListQueuesCommand({}))).QueueUrls).toEqual([deadLetterQueue.url, ordersQueue.url]);
    const listed = await client.send(new ListQueuesCommand({ QueueNamePrefix: "orders-" }));
    expect(listed.QueueUrls).toEqual([deadLetterQueue.url]);
  });

  test("returns its settings and depth", async () => {
    const { client, engine, send } = await startWithClient();
    await send("1");
    engine.send(QueueUrl, { body: "2", delayS: 5 });
    const all = await client.send(new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ["All"] }));
    expect(all.Attributes).toEqual({
      QueueArn: ordersQueue.arn,
      ApproximateNumberOfMessages: "1",
      ApproximateNumberOfMessagesDelayed: "1",
      ApproximateNumberOfMessagesNotVisible: "0",
      VisibilityTimeout: "30",
      DelaySeconds: "0",
      MessageRetentionPeriod: "345600",
      MaximumMessageSize: "1048576",
      ReceiveMessageWaitTimeSeconds: "0",
      RedrivePolicy: JSON.stringify({ deadLetterTargetArn: deadLetterQueue.arn, maxReceiveCount: 2 }),
    });
    const one = await client.send(new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ["DelaySeconds"] }));
    expect(one.Attributes).toEqual({ DelaySeconds: "0" });
    const unknown = new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ["FifoQueue"] });
    await expect(client.send(unknown)).rejects.toMatchObject({ name: "InvalidAttributeName" });
  });

  test("is emptied by a purge", async () => {
    const { client, send, receive } = await startWithClient();
    await send("b");
    await client.send(new PurgeQueueCommand({ QueueUrl }));
    expect(await receive()).toBeUndefined();
  });

  test("gets its dead letters back by a message move task", async () => {
    const { client, engine, send, receive } = await startWithClient();
    await send("b");
    for (let receives = 0; receives < 3; receives++) await receive({ VisibilityTimeout: 0 });
    expect(engine.depth(deadLetterQueue.url).visible).toBe(1);
    const move = new StartMessageMoveTaskCommand({ SourceArn: deadLetterQueue.arn });
    expect((await client.send(move)).TaskHandle).toEqual(expect.any(String));
    expect((await receive())?.map((message) => message.Body)).toEqual(["b"]);
    const refused = client.send(new StartMessageMoveTaskCommand({ SourceArn: ordersQueue.arn }));
    await expect(refused).rejects.toMatchObject({ name: "ResourceNotFoundException" });
  });
});
