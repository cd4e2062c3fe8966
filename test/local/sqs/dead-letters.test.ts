import { expect, test } from "vitest";
import { advance, deadLetterQueue, openEngine, ordersQueue, stoppedClock } from "./queue-fixture.ts";

const attributes = { kind: { DataType: "Number", StringValue: "7" } };

/** Starts with a message that was received twice, the limit of `orders`, and is receivable again. */
async function startWithSpentMessage() {
  const clock = stoppedClock();
  const engine = openEngine(clock);
  const sentAt = clock.now();
  const id = engine.send(ordersQueue.url, { body: "spent", attributes });
  for (let receives = 0; receives < 2; receives++) {
    await engine.receive(ordersQueue.url, { max: 1 });
    await advance(clock, 30_000);
  }
  const receiveOrders = () => engine.receive(ordersQueue.url, { max: 10 });
  const receiveDead = () => engine.receive(deadLetterQueue.url, { max: 10 });
  return { clock, engine, id, sentAt, receiveOrders, receiveDead };
}

test("a message at its maximum receive count moves at the next receive, with its id, attributes and age", async () => {
  const { engine, id, sentAt, receiveOrders, receiveDead } = await startWithSpentMessage();
  expect(await receiveDead()).toEqual([]);
  expect(await receiveOrders()).toEqual([]);
  expect(engine.depth(ordersQueue.url)).toEqual({ visible: 0, delayed: 0, inFlight: 0 });
  const [message] = await receiveDead();
  expect(message).toMatchObject({ messageId: id, body: "spent", attributes });
  expect(message!.systemAttributes).toMatchObject({
    SentTimestamp: String(sentAt),
    DeadLetterQueueSourceArn: ordersQueue.arn,
    ApproximateReceiveCount: "3",
  });
});

test("a receive skips dead-lettered messages and returns the requested number of others", async () => {
  const { engine, receiveOrders } = await startWithSpentMessage();
  engine.send(ordersQueue.url, { body: "fresh" });
  expect((await receiveOrders()).map((message) => message.body)).toEqual(["fresh"]);
});

test("the retention of the dead-letter queue counts from the first send", async () => {
  const { clock, engine, sentAt, receiveOrders } = await startWithSpentMessage();
  await receiveOrders();
  await clock.advanceTo(sentAt + deadLetterQueue.retentionS * 1000 - 1, async () => {});
  expect(engine.depth(deadLetterQueue.url).visible).toBe(1);
  await advance(clock, 1);
  expect(engine.depth(deadLetterQueue.url).visible).toBe(0);
});

test("a redrive moves dead letters to their source as new messages", async () => {
  const { clock, engine, id, receiveOrders, receiveDead } = await startWithSpentMessage();
  await receiveOrders();
  expect(engine.redrive(deadLetterQueue.arn)).toBe(1);
  expect(await receiveDead()).toEqual([]);
  const [message] = await engine.receive(ordersQueue.url, { max: 10 });
  expect(message).toMatchObject({ body: "spent", attributes });
  expect(message!.messageId).not.toBe(id);
  expect(message!.systemAttributes).toMatchObject({
    SentTimestamp: String(clock.now()),
    ApproximateReceiveCount: "1",
  });
  expect(message!.systemAttributes).not.toHaveProperty("DeadLetterQueueSourceArn");
});

test("a redrive does not move messages that were sent to the dead-letter queue itself, or that are in flight", async () => {
  const { engine, receiveOrders, receiveDead } = await startWithSpentMessage();
  await receiveOrders();
  await receiveDead();
  engine.send(deadLetterQueue.url, { body: "own" });
  expect(engine.redrive(deadLetterQueue.arn)).toBe(0);
  expect(engine.depth(deadLetterQueue.url)).toEqual({ visible: 1, delayed: 0, inFlight: 1 });
});

test("a redrive to a named queue also moves messages that were sent to the dead-letter queue itself", async () => {
  const { engine, receiveOrders } = await startWithSpentMessage();
  await receiveOrders();
  engine.send(deadLetterQueue.url, { body: "own", attributes });
  expect(engine.redrive(deadLetterQueue.arn, ordersQueue.arn)).toBe(2);
  const moved = await engine.receive(ordersQueue.url, { max: 10 });
  expect(moved.map(({ body, attributes }) => [body, attributes])).toEqual([
    ["spent", attributes],
    ["own", attributes],
  ]);
});

test("a redrive refuses a queue that is not a dead-letter queue", async () => {
  const { engine } = await startWithSpentMessage();
  expect(() => engine.redrive(ordersQueue.arn)).toThrow("not the dead-letter queue");
});
