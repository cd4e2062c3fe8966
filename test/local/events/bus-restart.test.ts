import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { VirtualClock } from "../../../lib/local/clock.ts";
import { EventBus } from "../../../lib/local/events/event-bus.ts";
import type { Deliver } from "../../../lib/local/events/rules.ts";

const ORIGIN = { accountId: "000000000000", region: "us-east-1" };
const ENTRY = { Source: "shop", DetailType: "order.created", Detail: '{"order_id":"o1"}' };
const RULE = {
  name: "orders",
  arn: "arn:aws:events:us-east-1:000000000000:rule/orders",
  busName: "default",
  pattern: { source: ["shop"] },
  enabled: true,
  targets: [{ id: "t1", arn: "arn:queue", inputPath: "$.detail" }],
};

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "event-bus-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

function openBus(clock: VirtualClock, deliver: Deliver): EventBus {
  const bus = new EventBus({ path: join(folder, "events.db"), clock, deliver });
  bus.addBus("default", "arn:aws:events:us-east-1:000000000000:event-bus/default");
  bus.addRule(RULE);
  bus.start();
  return bus;
}

async function settle(bus: EventBus): Promise<void> {
  while (bus.pending() > 0) await new Promise((resolve) => setImmediate(resolve));
}

/** Starts a bus and records the delivered payloads; `later` advances its clock first. */
async function reopenAndDeliver(later = 0): Promise<string[]> {
  const clock = new VirtualClock();
  const payloads: string[] = [];
  const bus = openBus(clock, async (_arn, payload) => void payloads.push(payload));
  await clock.advanceTo(clock.now() + later, () => settle(bus));
  bus.close();
  clock.stop();
  return payloads;
}

test("a process that is killed right after its response loses no event", async () => {
  const child = startKilledBus();
  const [line] = await once(child.stdout ?? child, "data");
  child.kill("SIGKILL");
  await once(child, "exit");
  expect(String(line)).toContain("answered");
  expect(await reopenAndDeliver()).toEqual(['{"order_id":"o1"}']);
  expect(await reopenAndDeliver()).toEqual([]);
});

/** Starts a process whose target never responds; it prints a line after PutEvents returns. */
function startKilledBus(): ChildProcess {
  const module = (name: string) => JSON.stringify(new URL(`../../../lib/local/${name}`, import.meta.url).href);
  const script = `
    import { VirtualClock } from ${module("clock.ts")};
    import { EventBus } from ${module("events/event-bus.ts")};
    const deliver = () => new Promise(() => setInterval(() => {}, 1000));
    const path = ${JSON.stringify(join(folder, "events.db"))};
    const bus = new EventBus({ path, clock: new VirtualClock(), deliver });
    bus.addBus("default", "arn:aws:events:us-east-1:000000000000:event-bus/default");
    bus.addRule(${JSON.stringify(RULE)});
    await bus.putEvents([${JSON.stringify(ENTRY)}], ${JSON.stringify(ORIGIN)});
    console.log("answered");`;
  return spawn(process.execPath, ["--input-type=module", "-e", script], { stdio: ["ignore", "pipe", "inherit"] });
}

test("a scheduled retry takes place after a restart, at its instant", async () => {
  const clock = new VirtualClock();
  const bus = openBus(clock, async () => {
    throw new Error("down");
  });
  await bus.putEvents([ENTRY], ORIGIN);
  await settle(bus);
  await clock.advanceTo(clock.now() + 300_000, () => settle(bus));
  const { offsetMs } = clock;
  bus.close();
  clock.stop();

  const restarted = new VirtualClock(offsetMs);
  const attempts: number[] = [];
  const again = openBus(restarted, async () => void attempts.push(restarted.now()));
  const begin = restarted.now();
  await restarted.advanceTo(begin + 100_000, () => settle(again));
  expect(attempts).toEqual([]);
  await restarted.advanceTo(begin + 400_000, () => settle(again));
  expect(attempts).toHaveLength(1);
  again.close();
  restarted.stop();
});

test("the next process repeats an attempt that ended after the bus closed", async () => {
  const clock = new VirtualClock();
  let finish = () => {};
  const bus = openBus(clock, () => new Promise<void>((resolve) => (finish = resolve)));
  await bus.putEvents([ENTRY], ORIGIN);
  bus.close();
  finish();
  clock.stop();
  expect(await reopenAndDeliver()).toHaveLength(1);
});
