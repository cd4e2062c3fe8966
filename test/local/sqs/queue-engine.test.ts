import { describe, expect, test } from "vitest";
import type { ReceivedMessage } from "../../../lib/local/sqs/message.ts";
import { advance, openEngine, ordersQueue, queueDefinition, stoppedClock } from "./queue-fixture.ts";

function start() {
  const clock = stoppedClock();
  const engine = openEngine(clock);
  const receive = (options: { max?: number; visibilityTimeoutS?: number } = {}) =>
    engine.receive(ordersQueue.url, { max: 10, ...options });
  const receiveOne = async () => (await receive())[0]!;
  return { clock, engine, receive, receiveOne };
}

const bodies = (messages: ReceivedMessage[]) => messages.map((message) => message.body);

describe("sending and receiving", () => {
  test("a message arrives with its body, attributes, group and system attributes", async () => {
    const { clock, engine, receiveOne } = start();
    const sentAt = clock.now();
    const attributes = { kind: { DataType: "String", StringValue: "hello" } };
    const id = engine.send(ordersQueue.url, { body: "b", attributes, groupId: "team-1" });
    await advance(clock, 1500);
    const message = await receiveOne();
    expect(message).toMatchObject({ messageId: id, body: "b", attributes });
    expect(message.systemAttributes).toEqual({
      SenderId: "000000000000",
      SentTimestamp: String(sentAt),
      ApproximateReceiveCount: "1",
      ApproximateFirstReceiveTimestamp: String(sentAt + 1500),
      MessageGroupId: "team-1",
    });
  });

  test("a receive returns at most the requested number, oldest first", async () => {
    const { engine, receive } = start();
    for (const body of ["1", "2", "3"]) engine.send(ordersQueue.url, { body });
    expect(bodies(await receive({ max: 2 }))).toEqual(["1", "2"]);
    expect(bodies(await receive({ max: 2 }))).toEqual(["3"]);
    expect(await receive()).toEqual([]);
  });

  test("a deleted message never returns", async () => {
    const { clock, engine, receive, receiveOne } = start();
    engine.send(ordersQueue.url, { body: "b" });
    engine.delete(ordersQueue.url, (await receiveOne()).receiptHandle);
    await advance(clock, 60_000);
    expect(await receive()).toEqual([]);
    expect(engine.depth(ordersQueue.url)).toEqual({ visible: 0, delayed: 0, inFlight: 0 });
  });

  test("the receipt handle of an earlier receive deletes nothing", async () => {
    const { clock, engine, receiveOne } = start();
    engine.send(ordersQueue.url, { body: "b" });
    const first = await receiveOne();
    await advance(clock, 30_000);
    await receiveOne();
    engine.delete(ordersQueue.url, first.receiptHandle);
    expect(engine.depth(ordersQueue.url).inFlight).toBe(1);
  });

  test("a purge removes visible, delayed and in-flight messages", async () => {
    const { engine, receive } = start();
    engine.send(ordersQueue.url, { body: "1" });
    await receive();
    engine.send(ordersQueue.url, { body: "2" });
    engine.send(ordersQueue.url, { body: "3", delayS: 5 });
    expect(engine.depth(ordersQueue.url)).toEqual({ visible: 1, delayed: 1, inFlight: 1 });
    engine.purge(ordersQueue.url);
    expect(engine.depth(ordersQueue.url)).toEqual({ visible: 0, delayed: 0, inFlight: 0 });
  });

  test("the end of delays makes delayed messages visible, and leaves those in flight hidden", async () => {
    const { engine, receive } = start();
    engine.send(ordersQueue.url, { body: "in flight" });
    await receive();
    engine.send(ordersQueue.url, { body: "delayed", delayS: 900 });
    expect(await receive()).toEqual([]);
    expect(engine.endDelays(ordersQueue.url)).toBe(1);
    expect(bodies(await receive())).toEqual(["delayed"]);
    expect(engine.endDelays(ordersQueue.url)).toBe(0);
  });

  test("a repeated creation of a queue keeps its messages and applies the new settings", async () => {
    const { engine } = start();
    engine.send(ordersQueue.url, { body: "b" });
    const moved = { ...ordersQueue, url: "http://127.0.0.1:4000/orders", visibilityTimeoutS: 5 };
    engine.createQueue(moved);
    expect(engine.queues()).toHaveLength(2);
    expect(bodies(await engine.receive(moved.url, { max: 1 }))).toEqual(["b"]);
    expect(() => engine.depth(ordersQueue.url)).toThrow("queue does not exist");
  });

  test("a queue cannot name an unknown dead-letter queue", () => {
    const { engine } = start();
    const redrive = { deadLetterArn: "arn:aws:sqs:us-east-1:000000000000:nowhere", maxReceiveCount: 1 };
    expect(() => engine.createQueue(queueDefinition("other", { redrive }))).toThrow("dead-letter queue");
  });
});

describe("message timing", () => {
  test.each([
    ["its own delay", ordersQueue, 7, 7000],
    ["the queue's delay", { ...ordersQueue, delayS: 9 }, undefined, 9000],
    ["no delay although the queue has one", { ...ordersQueue, delayS: 9 }, 0, 0],
  ])("a message with %s is receivable exactly at its instant", async (_, queue, delayS, dueInMs) => {
    const { clock, engine, receive } = start();
    engine.createQueue(queue);
    engine.send(ordersQueue.url, { body: "b", delayS });
    if (dueInMs > 0) {
      await advance(clock, dueInMs - 1);
      expect(await receive()).toEqual([]);
      await advance(clock, 1);
    }
    expect(bodies(await receive())).toEqual(["b"]);
  });

  test("an undeleted message returns exactly after the visibility timeout, with an incremented receive count", async () => {
    const { clock, engine, receive, receiveOne } = start();
    engine.send(ordersQueue.url, { body: "b" });
    await receiveOne();
    await advance(clock, 29_999);
    expect(await receive()).toEqual([]);
    await advance(clock, 1);
    expect((await receiveOne()).systemAttributes.ApproximateReceiveCount).toBe("2");
  });

  test("a receive can set another visibility timeout, even zero", async () => {
    const { clock, engine, receive } = start();
    engine.createQueue({ ...ordersQueue, redrive: undefined });
    engine.send(ordersQueue.url, { body: "b" });
    expect(bodies(await receive({ visibilityTimeoutS: 0 }))).toEqual(["b"]);
    expect(bodies(await receive({ visibilityTimeoutS: 2 }))).toEqual(["b"]);
    await advance(clock, 1999);
    expect(await receive()).toEqual([]);
    await advance(clock, 1);
    expect(bodies(await receive())).toEqual(["b"]);
  });

  test("a visibility change counts from now, and zero returns the message at once", async () => {
    const { clock, engine, receive, receiveOne } = start();
    engine.send(ordersQueue.url, { body: "b" });
    const { receiptHandle } = await receiveOne();
    await advance(clock, 20_000);
    engine.changeVisibility(ordersQueue.url, receiptHandle, 20);
    await advance(clock, 19_999);
    expect(await receive()).toEqual([]);
    engine.changeVisibility(ordersQueue.url, receiptHandle, 0);
    expect(bodies(await receive())).toEqual(["b"]);
  });

  test("the visibility of a message that is not in flight cannot change", async () => {
    const { clock, engine, receiveOne } = start();
    engine.send(ordersQueue.url, { body: "b" });
    const { receiptHandle } = await receiveOne();
    await advance(clock, 30_000);
    expect(() => engine.changeVisibility(ordersQueue.url, receiptHandle, 5)).toThrow("isn't in flight");
    expect(() => engine.changeVisibility(ordersQueue.url, "nonsense", 5)).toThrow("receipt handle is invalid");
  });

  test("a message expires exactly at its retention, whether visible, delayed or in flight", async () => {
    const { clock, engine, receive } = start();
    engine.createQueue({ ...ordersQueue, retentionS: 100 });
    engine.send(ordersQueue.url, { body: "in flight" });
    await receive({ visibilityTimeoutS: 99 });
    engine.send(ordersQueue.url, { body: "visible" });
    engine.send(ordersQueue.url, { body: "delayed", delayS: 200 });
    await advance(clock, 99_999);
    expect(engine.depth(ordersQueue.url)).toEqual({ visible: 2, delayed: 1, inFlight: 0 });
    await advance(clock, 1);
    expect(engine.depth(ordersQueue.url)).toEqual({ visible: 0, delayed: 0, inFlight: 0 });
    expect(await receive()).toEqual([]);
  });

  test("expired messages do not count toward the requested number", async () => {
    const { clock, engine, receive } = start();
    engine.createQueue({ ...ordersQueue, retentionS: 100 });
    for (const body of ["1", "2", "3"]) engine.send(ordersQueue.url, { body });
    await advance(clock, 100_000);
    engine.send(ordersQueue.url, { body: "4" });
    expect(bodies(await receive({ max: 2 }))).toEqual(["4"]);
  });
});
