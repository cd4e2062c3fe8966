import { describe, expect, test } from "vitest";
import { createExecutor, lambdaArn, lambdaError, MACHINE_ARN } from "./executor.ts";

const task = { Type: "Task", Resource: lambdaArn("f"), End: true };
const week = { StartAt: "Pause", States: { Pause: { Type: "Wait", Seconds: 604_800, Next: "Call" }, Call: task } };
const once = { StartAt: "A", States: { A: task } };

function code(name: string) {
  return expect.objectContaining({ code: name });
}

describe("starting an execution by name", () => {
  test("returns the running execution for the same name and input", async () => {
    const { register, machines, settle } = createExecutor();
    register(week);
    const first = machines.start(MACHINE_ARN, '{"a":1}', "n");
    await settle();
    expect(machines.start(MACHINE_ARN, '{"a":1}', "n")).toMatchObject({ arn: first.arn, startedAt: first.startedAt });
    expect(machines.list(MACHINE_ARN).length).toBe(1);
  });

  test("refuses other input for a used name", () => {
    const { register, machines } = createExecutor();
    register(week);
    machines.start(MACHINE_ARN, '{"a":1}', "n");
    expect(() => machines.start(MACHINE_ARN, '{"a":2}', "n")).toThrow(code("ExecutionAlreadyExists"));
  });

  test("refuses the name of a closed execution", async () => {
    const { register, machines, settle } = createExecutor();
    register(once);
    machines.start(MACHINE_ARN, "{}", "n");
    await settle();
    expect(() => machines.start(MACHINE_ARN, "{}", "n")).toThrow(code("ExecutionAlreadyExists"));
  });

  test("refuses unknown machines, invalid names and input that is not JSON", () => {
    const { register, machines } = createExecutor();
    register(once);
    expect(() => machines.start(`${MACHINE_ARN}2`)).toThrow(code("StateMachineDoesNotExist"));
    expect(() => machines.start(MACHINE_ARN, "{}", "a b")).toThrow(code("InvalidName"));
    expect(() => machines.start(MACHINE_ARN, "{}", "a".repeat(81))).toThrow(code("InvalidName"));
    expect(() => machines.start(MACHINE_ARN, "{")).toThrow(code("InvalidExecutionInput"));
    expect(machines.list(MACHINE_ARN)).toEqual([]);
  });
});

describe("stopping an execution", () => {
  test("aborts its wait and removes the timer", async () => {
    const { clock, register, start, machines, advance, calls } = createExecutor();
    register(week);
    const { arn } = await start();
    expect(machines.stop(arn, "Undone", "the user came back")).toMatchObject({ status: "ABORTED", error: "Undone" });
    expect(clock.nextDueAt()).toBeUndefined();
    await advance(30 * 86_400);
    expect(calls).toEqual([]);
  });

  test("discards the result of a running task", async () => {
    const { promise, resolve } = Promise.withResolvers<string>();
    const { register, machines, settle } = createExecutor({ answer: () => promise });
    register(once);
    const { arn } = machines.start(MACHINE_ARN);
    machines.stop(arn);
    resolve("too late");
    await settle();
    expect(machines.describe(arn)).toMatchObject({ status: "ABORTED", output: null });
  });

  test("does not change a closed execution", async () => {
    const { register, start, machines } = createExecutor();
    register(once);
    const { arn } = await start();
    expect(machines.stop(arn).status).toBe("SUCCEEDED");
  });
});

describe("redriving an execution", () => {
  test("continues in the failed state with its input and all its retries", async () => {
    let healthy = false;
    const { register, start, machines, settle, advance, calls } = createExecutor({
      answer: ({ name, payload }) => {
        if (name === "f" && !healthy) throw lambdaError("Busy");
        return payload;
      },
    });
    const first = { Type: "Task", Resource: lambdaArn("first"), Next: "A" };
    const retry = [{ ErrorEquals: ["Busy"], MaxAttempts: 1 }];
    register({ StartAt: "First", States: { First: first, A: { ...task, Retry: retry } } });
    const { arn } = await start({ a: 1 });
    await advance(10);
    expect(machines.describe(arn).status).toBe("FAILED");

    expect(machines.redrive(arn)).toMatchObject({ status: "RUNNING", redriveCount: 1, error: null, stoppedAt: null });
    await settle();
    expect(machines.describe(arn).status).toBe("RUNNING");
    healthy = true;
    await advance(10);
    expect(machines.describe(arn)).toMatchObject({ status: "SUCCEEDED", output: '{"a":1}' });
    expect(calls.map(({ name }) => name)).toEqual(["first", "f", "f", "f", "f"]);
  });

  test("calls a task again that was stopped while it ran", async () => {
    const { promise, resolve } = Promise.withResolvers<string>();
    const { register, machines, settle, calls } = createExecutor({
      answer: () => (calls.length > 1 ? "second" : promise),
    });
    register(once);
    const { arn } = machines.start(MACHINE_ARN);
    machines.stop(arn);
    machines.redrive(arn);
    resolve("first");
    await settle();
    expect(machines.describe(arn)).toMatchObject({ status: "SUCCEEDED", output: '"second"' });
  });

  test("is refused while the execution runs and after it succeeded", async () => {
    const { register, machines, settle } = createExecutor();
    register(once);
    const { arn } = machines.start(MACHINE_ARN);
    expect(() => machines.redrive(arn)).toThrow(code("ExecutionNotRedrivable"));
    await settle();
    expect(() => machines.redrive(arn)).toThrow(code("ExecutionNotRedrivable"));
  });
});

test("pending counts running executions, and not waiting ones", async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const { register, machines, settle, advance } = createExecutor({ answer: () => promise });
  register(week);
  machines.start(MACHINE_ARN);
  await settle();
  expect(machines.pending()).toBe(0);
  const advanced = advance(604_800);
  await expect.poll(() => machines.pending()).toBe(1);
  resolve();
  await advanced;
  expect(machines.pending()).toBe(0);
});

test("a wait ends by itself in real time without an advanced clock", async () => {
  const { register, machines } = createExecutor();
  register({ StartAt: "Pause", States: { Pause: { Type: "Wait", Seconds: 0.05, Next: "Call" }, Call: task } });
  const { arn } = machines.start(MACHINE_ARN);
  await expect.poll(() => machines.describe(arn).status).toBe("SUCCEEDED");
});

test("many executions with the same wait end all continue", async () => {
  const { clock, register, machines, settle, advance, calls } = createExecutor();
  const at = new Date(clock.now() + 604_800_000).toISOString();
  register({ ...week, States: { ...week.States, Pause: { Type: "Wait", Timestamp: at, Next: "Call" } } });
  for (let n = 0; n < 50; n += 1) machines.start(MACHINE_ARN, `{"n":${n}}`);
  await settle();
  await advance(604_900);
  expect(calls.length).toBe(50);
  expect(machines.list(MACHINE_ARN, "SUCCEEDED").length).toBe(50);
});
