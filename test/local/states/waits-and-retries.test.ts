import { describe, expect, test } from "vitest";
import { createExecutor, lambdaArn, lambdaError, runStates } from "./executor.ts";

const DAY_SECONDS = 24 * 60 * 60;
const task = { Type: "Task", Resource: lambdaArn("f"), End: true };

function waitThenTask(wait: object) {
  return { StartAt: "Pause", States: { Pause: { Type: "Wait", ...wait, Next: "Call" }, Call: task } };
}

describe("Wait", () => {
  test("of seven days runs the next state exactly at its end", async () => {
    const { register, start, advance, machines, calls } = createExecutor();
    register(waitThenTask({ Seconds: 7 * DAY_SECONDS }));
    const { arn, startedAt } = await start();
    expect(machines.pending()).toBe(0);
    await advance(7 * DAY_SECONDS - 60);
    expect([machines.describe(arn).status, calls.length]).toEqual(["RUNNING", 0]);
    await advance(60);
    expect(machines.describe(arn).status).toBe("SUCCEEDED");
    expect(calls.map(({ at }) => at - startedAt)).toEqual([7 * DAY_SECONDS * 1000]);
  });

  test.each(["Timestamp", "TimestampPath", "SecondsPath"])("accepts %s", async (kind) => {
    const { clock, register, start, advance, calls } = createExecutor();
    const due = new Date(Math.ceil(clock.now() / 1000) * 1000 + 90_000);
    const value = { Timestamp: due.toISOString(), TimestampPath: "$.at", SecondsPath: "$.seconds" }[kind];
    register(waitThenTask({ [kind]: value }));
    const { startedAt } = await start({ at: due.toISOString(), seconds: 90 });
    await advance(60);
    expect(calls).toEqual([]);
    await advance(60);
    expect(calls[0]?.at).toBe(kind === "SecondsPath" ? startedAt + 90_000 : due.getTime());
  });

  test("for a past instant continues at once", async () => {
    const states = waitThenTask({ Timestamp: "2001-01-01T00:00:00Z" }).States;
    expect(await runStates(states)).toMatchObject({ status: "SUCCEEDED" });
  });

  test("for an invalid instant fails", async () => {
    const { States } = waitThenTask({ TimestampPath: "$.at" });
    expect(await runStates(States, { at: "next week" })).toMatchObject({ error: "States.Runtime" });
  });
});

describe("Retry", () => {
  /** Runs a task that always fails with `error`. @returns the seconds from the start to each attempt. */
  async function attempts(retry: object[], errors: string[]) {
    const { register, start, advance, machines, calls } = createExecutor({
      answer: () => {
        throw lambdaError(errors[calls.length - 1] ?? errors[0] ?? "");
      },
    });
    register({ StartAt: "A", States: { A: { ...task, Retry: retry } } });
    const { arn, startedAt } = await start();
    await advance(DAY_SECONDS);
    expect(machines.describe(arn).status).toBe("FAILED");
    return calls.map(({ at }) => Math.floor((at - startedAt) / 1000));
  }

  test("backs off by the rate, at most by MaxDelaySeconds, MaxAttempts times", async () => {
    const retrier = { ErrorEquals: ["Busy"], IntervalSeconds: 2, BackoffRate: 3, MaxAttempts: 4, MaxDelaySeconds: 10 };
    expect(await attempts([retrier], ["Busy"])).toEqual([0, 2, 8, 18, 28]);
  });

  test("waits 1, 2 and 4 seconds by default", async () =>
    expect(await attempts([{ ErrorEquals: ["States.ALL"] }], ["Busy"])).toEqual([0, 1, 3, 7]));

  test("counts each retrier separately", async () => {
    const retry = [
      { ErrorEquals: ["Busy"], IntervalSeconds: 1, MaxAttempts: 1 },
      { ErrorEquals: ["States.TaskFailed"], IntervalSeconds: 5, MaxAttempts: 1 },
    ];
    expect(await attempts(retry, ["Busy", "Other", "Busy"])).toEqual([0, 1, 6]);
  });

  test("does not apply to other errors", async () =>
    expect(await attempts([{ ErrorEquals: ["Busy"] }], ["Other"])).toEqual([0]));

  test("continues with the result after a success", async () => {
    const { register, start, advance, machines, calls } = createExecutor({
      answer: () => {
        if (calls.length < 3) throw lambdaError("Busy");
        return "done";
      },
    });
    register({ StartAt: "A", States: { A: { ...task, Retry: [{ ErrorEquals: ["Busy"] }] } } });
    const { arn } = await start();
    await advance(3);
    expect(machines.describe(arn)).toMatchObject({ status: "SUCCEEDED", output: '"done"' });
  });
});

describe("Catch", () => {
  const failing = { answer: () => Promise.reject(lambdaError("Conflict", "taken")) };
  const rest = { Caught: { Type: "Succeed" } };

  test("continues at the first catcher that matches, with error and cause at its ResultPath", async () => {
    const handlers = [
      { ErrorEquals: ["Other"], Next: "Wrong" },
      { ErrorEquals: ["Conflict"], ResultPath: "$.failure", Next: "Caught" },
    ];
    const states = { A: { ...task, Catch: handlers }, Wrong: { Type: "Fail" }, ...rest };
    const { output } = await runStates(states, { a: 1 }, failing);
    const cause = JSON.stringify({ errorMessage: "taken", errorType: "Conflict" });
    expect(output).toEqual({ a: 1, failure: { Error: "Conflict", Cause: cause } });
  });

  test("replaces the input by the error without ResultPath", async () => {
    const states = { A: { ...task, Catch: [{ ErrorEquals: ["States.ALL"], Next: "Caught" }] }, ...rest };
    expect((await runStates(states, { a: 1 }, failing)).output).toMatchObject({ Error: "Conflict" });
  });

  test("applies after the retries are exhausted", async () => {
    const retried = {
      ...task,
      Retry: [{ ErrorEquals: ["Conflict"], MaxAttempts: 2 }],
      Catch: [{ ErrorEquals: ["Conflict"], Next: "Caught" }],
    };
    const { register, start, advance, machines, calls } = createExecutor(failing);
    register({ StartAt: "A", States: { A: retried, ...rest } });
    const { arn } = await start();
    await advance(3);
    expect([machines.describe(arn).status, calls.length]).toEqual(["SUCCEEDED", 3]);
  });

  test("does not write to a path that does not exist", async () => {
    const broken = { ...task, Parameters: { "x.$": "$.x" }, Catch: [{ ErrorEquals: ["States.ALL"], Next: "Caught" }] };
    expect(await runStates({ A: broken, ...rest })).toMatchObject({ status: "FAILED", error: "States.Runtime" });
  });
});
