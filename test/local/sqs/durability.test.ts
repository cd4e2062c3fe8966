import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { VirtualClock } from "../../../lib/local/clock.ts";
import type { QueueEngine } from "../../../lib/local/sqs/queue-engine.ts";
import { advance, openEngine, ordersQueue, queueDefinition, stoppedClock } from "./queue-fixture.ts";

function databaseFile(): string {
  const folder = mkdtempSync(join(tmpdir(), "queues-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return join(folder, "queues.db");
}

/** Starts the sender and kills it after `count` messages. @returns every id that it printed. */
async function sendAndKill(path: string, count: number): Promise<string[]> {
  const script = fileURLToPath(new URL("send-until-killed.ts", import.meta.url));
  const child = spawn(process.execPath, [script, path, JSON.stringify(queueDefinition("orders"))], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const exit = once(child, "exit");
  const ids: string[] = [];
  for await (const id of createInterface({ input: child.stdout })) {
    ids.push(id);
    if (ids.length === count) child.kill("SIGKILL");
  }
  expect(await exit).toEqual([null, "SIGKILL"]);
  return ids;
}

async function receiveAll(engine: QueueEngine): Promise<string[]> {
  const ids: string[] = [];
  for (;;) {
    const messages = await engine.receive(ordersQueue.url, { max: 10 });
    if (messages.length === 0) return ids;
    ids.push(...messages.map((message) => message.messageId));
  }
}

test("every acknowledged message exists after a SIGKILL", async () => {
  const path = databaseFile();
  const printed = await sendAndKill(path, 200);
  expect(printed.length).toBeGreaterThanOrEqual(200);
  const engine = openEngine(new VirtualClock(), path);
  const received = new Set(await receiveAll(engine));
  expect(printed.filter((id) => !received.has(id))).toEqual([]);
  engine.close();
});

test("after a restart messages in flight are receivable with their receive count, and delays continue", async () => {
  const path = databaseFile();
  const clock = stoppedClock();
  const before = openEngine(clock, path);
  before.send(ordersQueue.url, { body: "held" });
  const [held] = await before.receive(ordersQueue.url, { max: 1 });
  before.send(ordersQueue.url, { body: "delayed", delayS: 60 });
  before.close();
  // As a function does that ends after the stop.
  before.delete(ordersQueue.url, held!.receiptHandle);

  const after = openEngine(clock, path);
  expect(after.depth(ordersQueue.url)).toEqual({ visible: 1, delayed: 1, inFlight: 0 });
  const [message] = await after.receive(ordersQueue.url, { max: 10 });
  expect(message).toMatchObject({ body: "held", systemAttributes: { ApproximateReceiveCount: "2" } });
  after.delete(ordersQueue.url, message!.receiptHandle);
  await advance(clock, 60_000);
  expect((await after.receive(ordersQueue.url, { max: 10 })).map(({ body }) => body)).toEqual(["delayed"]);
  after.close();
});
