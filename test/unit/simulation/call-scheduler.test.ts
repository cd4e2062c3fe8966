import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { CallScheduler, hashTrace } from "../../simulation/schedule/call-scheduler.ts";
import { SeededRandom } from "../support/seeded-random.ts";

/** Runs three functions that add to one list in five steps each. Every step takes a random real time. */
async function runFunctions(seed: number): Promise<{ scheduler: CallScheduler; added: string[] }> {
  const random = new SeededRandom(seed);
  const scheduler = new CallScheduler((count) => random.integerBelow(count));
  const added: string[] = [];
  const run = (name: string) =>
    scheduler.invoke(name, async () => {
      for (const step of [1, 2, 3, 4, 5]) {
        await scheduler.step(`step ${step}`, () => sleep(3 * Math.random()));
        added.push(`${name}${step}`);
      }
    });
  await Promise.all(["a", "b", "c"].map(run));
  return { scheduler, added };
}

test("a seed gives the same order, however long each step takes", async () => {
  const runs = await Promise.all([1, 2, 3, 4, 5].map(() => runFunctions(7)));
  const [first] = runs;
  expect(new Set(runs.map(({ scheduler }) => hashTrace(scheduler.trace))).size).toBe(1);
  expect(runs.map(({ added }) => added)).toEqual(runs.map(() => first?.added));
  expect(first?.scheduler.trace).toHaveLength(15);
});

test("seeds give different orders, and functions take turns in them", async () => {
  const runs = await Promise.all([1, 2, 3, 4, 5, 6, 7, 8].map(runFunctions));
  expect(new Set(runs.map(({ scheduler }) => hashTrace(scheduler.trace))).size).toBe(8);
  const order = runs[0]?.added.map(([name]) => name).join("") ?? "";
  expect(order).not.toMatch(/^(a+b+c+|a+c+b+|b+a+c+|b+c+a+|c+a+b+|c+b+a+)$/);
});

test("one step runs at a time", async () => {
  const scheduler = new CallScheduler(() => 0);
  let running = 0;
  const atOnce: number[] = [];
  const step = () =>
    scheduler.step("step", async () => {
      atOnce.push(++running);
      await sleep(2);
      running--;
    });
  await Promise.all(
    [1, 2, 3].map((name) => scheduler.invoke(`${name}`, async () => void (await Promise.all([step(), step()])))),
  );
  expect(atOnce).toEqual([1, 1, 1, 1, 1, 1]);
});

test("nothing runs while something is on its way", async () => {
  const scheduler = new CallScheduler(() => 0);
  const release = scheduler.hold();
  const step = scheduler.step("step", async () => "done");
  await sleep(20);
  expect(scheduler.trace).toEqual([]);
  release();
  await expect(step).resolves.toBe("done");
});

test("an invocation may wait for the step of another", async () => {
  const scheduler = new CallScheduler(() => 0);
  let shared: Promise<string> | undefined;
  const read = () => {
    shared ??= scheduler.step("read", async () => "value");
    return shared;
  };
  const answers = await Promise.all(["a", "b"].map((name) => scheduler.invoke(name, read)));
  expect(answers).toEqual(["value", "value"]);
  expect(scheduler.trace).toEqual(["1 a: read"]);
});

test("a step that fails fails for its caller alone", async () => {
  const scheduler = new CallScheduler(() => 0);
  const failing = scheduler.step("fails", () => Promise.reject(new Error("no")));
  const next = scheduler.step("works", async () => "yes");
  await expect(failing).rejects.toThrow("no");
  await expect(next).resolves.toBe("yes");
});
