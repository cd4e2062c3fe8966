import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { createExecutor, lambdaArn, lambdaError, MACHINE_ARN } from "./executor.ts";

const task = { Type: "Task", Resource: lambdaArn("f"), End: true };
const weekThenTask = {
  StartAt: "Pause",
  States: { Pause: { Type: "Wait", Seconds: 604_800, Next: "Call" }, Call: task },
};

let databasePath = "";
beforeEach(() => {
  const folder = mkdtempSync(join(tmpdir(), "states-"));
  databasePath = join(folder, "states.sqlite");
  return () => rmSync(folder, { recursive: true });
});

describe("after a restart on the same file", () => {
  test("a wait ends at its original instant", async () => {
    const before = createExecutor({ databasePath });
    before.register(weekThenTask);
    const { arn, startedAt } = await before.start();
    await before.advance(3 * 86_400);
    before.machines.close();

    const after = createExecutor({ databasePath, offsetMs: before.clock.offsetMs });
    after.register(weekThenTask);
    expect(after.machines.pending()).toBe(0);
    await after.advance(4 * 86_400 - 60);
    expect(after.machines.describe(arn).status).toBe("RUNNING");
    await after.advance(60);
    expect(after.machines.describe(arn).status).toBe("SUCCEEDED");
    expect(after.calls.map(({ at }) => at - startedAt)).toEqual([604_800_000]);
  });

  test("a wait that ended in the meantime continues at once", async () => {
    const before = createExecutor({ databasePath });
    before.register(weekThenTask);
    const { arn } = await before.start();
    before.machines.close();

    const after = createExecutor({ databasePath, offsetMs: 30 * 86_400_000 });
    after.register(weekThenTask);
    await after.settle();
    expect(after.machines.describe(arn).status).toBe("SUCCEEDED");
  });

  test("a retry's backoff continues, and earlier attempts still count", async () => {
    const retry = [{ ErrorEquals: ["Busy"], IntervalSeconds: 100, BackoffRate: 2, MaxAttempts: 2 }];
    const definition = { StartAt: "A", States: { A: { ...task, Retry: retry } } };
    const answer = () => Promise.reject(lambdaError("Busy"));
    const before = createExecutor({ databasePath, answer });
    before.register(definition);
    const { arn, startedAt } = await before.start();
    await before.advance(150);
    expect(before.calls.length).toBe(2);
    before.machines.close();

    const after = createExecutor({ databasePath, answer, offsetMs: before.clock.offsetMs });
    after.register(definition);
    await after.advance(1000);
    expect(after.calls.map(({ at }) => Math.floor((at - startedAt) / 1000))).toEqual([300]);
    expect(after.machines.describe(arn)).toMatchObject({ status: "FAILED", error: "Busy" });
  });

  test("a Map keeps the results of its finished items", async () => {
    const inside = { Pause: { Type: "Wait", Seconds: 60, Next: "Call" }, Call: task };
    const map = { Type: "Map", ItemProcessor: { StartAt: "Pause", States: inside }, End: true };
    const definition = { StartAt: "M", States: { M: map } };
    const before = createExecutor({ databasePath });
    before.register(definition);
    const { arn } = await before.start(["a", "b", "c"]);
    await before.advance(90);
    before.machines.close();

    const after = createExecutor({ databasePath, offsetMs: before.clock.offsetMs });
    after.register(definition);
    await after.advance(600);
    expect(after.machines.describe(arn).output).toBe('["a","b","c"]');
    expect(after.calls.map(({ payload }) => payload)).toEqual(["b", "c"]);
  });

  test("closed executions stay closed and keep their history", async () => {
    const definition = { StartAt: "A", States: { A: task } };
    const before = createExecutor({ databasePath });
    before.register(definition);
    const { arn } = await before.start({ a: 1 });
    const history = before.machines.history(arn);
    before.machines.close();

    const after = createExecutor({ databasePath });
    after.register(definition);
    await after.settle();
    expect(after.calls).toEqual([]);
    expect(after.machines.history(arn)).toEqual(history);
    expect(() => after.machines.start(MACHINE_ARN, '{"a":1}', after.machines.describe(arn).name)).toThrow(
      "Already Exists",
    );
  });

  test("an execution in a state that the new definition lacks fails with an error that names the state", async () => {
    const before = createExecutor({ databasePath });
    before.register(weekThenTask);
    const { arn } = await before.start();
    before.machines.close();

    const after = createExecutor({ databasePath, offsetMs: 30 * 86_400_000 });
    after.register({ StartAt: "Call", States: { Call: task } });
    await after.settle();
    expect(after.machines.describe(arn)).toMatchObject({ status: "FAILED", cause: expect.stringContaining("'Pause'") });
  });
});

/** Starts a process that completes one task, hangs in a second one and prints a line. */
const HANGING = `
  import { VirtualClock } from "${new URL("../../../lib/local/clock.ts", import.meta.url)}";
  import { StateMachines } from "${new URL("../../../lib/local/states/state-machines.ts", import.meta.url)}";
  const [databasePath, arn, definition] = process.argv.slice(1);
  const invoke = async (functionArn) => {
    if (functionArn.endsWith(":first")) return "first result";
    console.log("hanging");
    return new Promise((resolve) => setTimeout(resolve, 60_000));
  };
  const machines = new StateMachines({ clock: new VirtualClock(), databasePath, invoke });
  machines.register({ name: "machine", arn, definition });
  machines.start(arn, "{}", "killed");
`;

test("after SIGKILL an execution resumes in its entered state, whose task runs again", async () => {
  const second = { Type: "Task", Resource: lambdaArn("second"), End: true };
  const first = { Type: "Task", Resource: lambdaArn("first"), Next: "Second" };
  const definition = { StartAt: "First", States: { First: first, Second: second } };
  const args = [
    "--input-type=module-typescript",
    "--eval",
    HANGING,
    databasePath,
    MACHINE_ARN,
    JSON.stringify(definition),
  ];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  const [said] = await once(child.stdout, "data");
  expect(String(said)).toContain("hanging");
  child.kill("SIGKILL");
  await once(child, "exit");

  const { register, settle, machines, calls } = createExecutor({ databasePath });
  register(definition);
  await settle();
  expect(calls).toMatchObject([{ name: "second", payload: "first result" }]);
  const [execution] = machines.list(MACHINE_ARN);
  expect(execution).toMatchObject({ name: "killed", status: "SUCCEEDED" });
});
