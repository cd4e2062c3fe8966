import {
  ChangeMessageVisibilityCommand,
  CreateQueueCommand,
  GetQueueUrlCommand,
  QueueDoesNotExist,
  SendMessageCommand,
} from "@aws-sdk/client-sqs";
import { describe, expect, test } from "vitest";
import { advance, ordersQueue } from "./queue-fixture.ts";
import { startWithClient } from "./sqs-over-http.ts";

const QueueUrl = ordersQueue.url;

describe("an error", () => {
  test("reaches the SDK as its own error class, with the code of the query protocol", async () => {
    const { client } = await startWithClient();
    const error = await client.send(new GetQueueUrlCommand({ QueueName: "nowhere" })).catch((caught) => caught);
    expect(error).toBeInstanceOf(QueueDoesNotExist);
    expect(error).toMatchObject({
      message: "The specified queue does not exist.",
      Code: "AWS.SimpleQueueService.NonExistentQueue",
      $metadata: { httpStatusCode: 400 },
    });
  });

  const text = { DataType: "String", StringValue: "v" };
  const elevenAttributes = Object.fromEntries(Array.from({ length: 11 }, (_, index) => [`a${index}`, text]));
  const message = { QueueUrl, MessageBody: "b" };
  test.each([
    ["a delay over 900 s", new SendMessageCommand({ ...message, DelaySeconds: 901 })],
    ["a broken delay", new SendMessageCommand({ ...message, DelaySeconds: 1.5 })],
    ["an empty body", new SendMessageCommand({ QueueUrl, MessageBody: "" })],
    ["more than ten attributes", new SendMessageCommand({ ...message, MessageAttributes: elevenAttributes })],
    ["a reserved attribute name", new SendMessageCommand({ ...message, MessageAttributes: { "AWS.a": text } })],
    [
      "an unknown attribute type",
      new SendMessageCommand({ ...message, MessageAttributes: { a: { DataType: "Date" } } }),
    ],
    ["no attribute value", new SendMessageCommand({ ...message, MessageAttributes: { a: { DataType: "String" } } })],
    ["what only FIFO queues know", new SendMessageCommand({ ...message, MessageDeduplicationId: "d" })],
  ])("is returned for a message with %s", async (_, command) => {
    const { client, engine } = await startWithClient();
    await expect(client.send(command)).rejects.toMatchObject({ Code: "InvalidParameterValue" });
    expect(engine.depth(QueueUrl).visible).toBe(0);
  });

  test.each([
    ["eleven messages", { MaxNumberOfMessages: 11 }],
    ["none", { MaxNumberOfMessages: 0 }],
    ["a wait over 20 s", { WaitTimeSeconds: 21 }],
    ["a visibility timeout over 12 h", { VisibilityTimeout: 43_201 }],
  ])("is returned for a receive of %s", async (_, options) => {
    const { receive } = await startWithClient();
    await expect(receive(options)).rejects.toMatchObject({ Code: "InvalidParameterValue" });
  });

  test("is returned for a visibility change of a message that is not in flight", async () => {
    const { clock, client, send, receive } = await startWithClient();
    await send("b");
    const { ReceiptHandle } = (await receive())![0]!;
    await advance(clock, 30_000);
    const change = new ChangeMessageVisibilityCommand({ QueueUrl, ReceiptHandle, VisibilityTimeout: 5 });
    await expect(client.send(change)).rejects.toMatchObject({ name: "MessageNotInflight" });
  });

  test("is returned for an unsupported operation", async () => {
    const { client } = await startWithClient();
    const creating = client.send(new CreateQueueCommand({ QueueName: "new" }));
    await expect(creating).rejects.toMatchObject({ Code: "UnknownOperationException" });
  });
});
