import { describe, expect, test } from "vitest";
import { createExecutor, lambdaArn, lambdaError, MACHINE_ARN, runStates } from "./executor.ts";

const invoke = "arn:aws:states:::lambda:invoke";

describe("Pass", () => {
  test("passes its input on", async () =>
    expect(await runStates({ A: { Type: "Pass", End: true } }, { a: 1 })).toMatchObject({ output: { a: 1 } }));

  test("writes a fixed result to ResultPath", async () => {
    const pass = { Type: "Pass", Result: { b: 2 }, ResultPath: "$.r", End: true };
    expect((await runStates({ A: pass }, { a: 1 })).output).toEqual({ a: 1, r: { b: 2 } });
  });

  test("applies InputPath, Parameters and OutputPath in this order", async () => {
    const pass = { Type: "Pass", InputPath: "$.in", Parameters: { "x.$": "$.a", y: 2 }, OutputPath: "$.x", End: true };
    expect((await runStates({ A: pass }, { in: { a: 1 } })).output).toBe(1);
  });

  test("drops the result and the output with null paths", async () => {
    const states = {
      A: { Type: "Pass", Result: 1, ResultPath: null, Next: "B" },
      B: { Type: "Pass", OutputPath: null, ResultPath: "$.x", Next: "C" },
      C: { Type: "Succeed" },
    };
    expect(await runStates(states, { a: 1 })).toMatchObject({ status: "SUCCEEDED", output: {} });
  });
});

describe("Task", () => {
  test("sends the payload to lambda:invoke and returns StatusCode and Payload", async () => {
    const parameters = { FunctionName: lambdaArn("double"), Payload: { "n.$": "$.n" } };
    const { calls, register, start } = createExecutor({ answer: () => ({ n: 4 }) });
    register({ StartAt: "A", States: { A: { Type: "Task", Resource: invoke, Parameters: parameters, End: true } } });
    const { output } = await start({ n: 2 });
    expect(calls).toMatchObject([{ name: "double", payload: { n: 2 } }]);
    expect(JSON.parse(output ?? "")).toEqual({ StatusCode: 200, Payload: { n: 4 } });
  });

  test("sends the input to a function ARN and returns its result", async () => {
    const task = { Type: "Task", Resource: lambdaArn("f"), ResultPath: "$.r", End: true };
    const { output } = await runStates({ A: task }, { a: 1 }, { answer: () => undefined });
    expect(output).toEqual({ a: 1, r: null });
  });

  test("shapes the result with ResultSelector and OutputPath", async () => {
    const task = {
      Type: "Task",
      Resource: invoke,
      Parameters: { FunctionName: lambdaArn("f") },
      ResultSelector: { "code.$": "$.StatusCode", "id.$": "$.Payload.id", "run.$": "$$.Execution.Name" },
      ResultPath: "$.r",
      OutputPath: "$.r.id",
      End: true,
    };
    expect((await runStates({ A: task }, {}, { answer: () => ({ id: "x" }) })).output).toBe("x");
  });

  test("protects the state's own input from changes by a function", async () => {
    const task = { Type: "Task", Resource: lambdaArn("f"), ResultPath: null, End: true };
    const answer = ({ payload }: { payload: object | unknown }) => Object.assign(payload ?? {}, { a: "changed" });
    expect((await runStates({ A: task }, { a: 1 }, { answer })).output).toEqual({ a: 1 });
  });

  test("fails the execution under the function's error type if no Catch matches", async () => {
    const answer = () => Promise.reject(lambdaError("Conflict", "taken"));
    const outcome = await runStates({ A: { Type: "Task", Resource: lambdaArn("f"), End: true } }, {}, { answer });
    expect(outcome).toMatchObject({ status: "FAILED", error: "Conflict" });
    expect(JSON.parse(outcome.cause ?? "")).toEqual({ errorType: "Conflict", errorMessage: "taken" });
  });

  test("exposes execution, state and machine in the context object", async () => {
    const { calls, clock, register, machines, settle } = createExecutor();
    const parameters = { "all.$": "$$" };
    register({
      StartAt: "A",
      States: { A: { Type: "Task", Resource: lambdaArn("f"), Parameters: parameters, End: true } },
    });
    const { arn, startedAt } = machines.start(MACHINE_ARN, '{"a":1}', "run-1");
    await settle();
    const iso = new Date(startedAt).toISOString();
    expect(clock.now()).toBeGreaterThanOrEqual(startedAt);
    expect(calls[0]?.payload).toEqual({
      all: {
        Execution: { Id: arn, Name: "run-1", Input: { a: 1 }, StartTime: iso, RedriveCount: 0 },
        StateMachine: { Id: MACHINE_ARN, Name: "machine" },
        State: { Name: "A", EnteredTime: iso, RetryCount: 0 },
      },
    });
  });
});

describe("Choice", () => {
  const choice = { Type: "Choice", Choices: [{ Variable: "$.n", NumericGreaterThan: 1, Next: "Many" }] };
  const ends = { Many: { Type: "Pass", Result: "many", End: true }, Few: { Type: "Pass", Result: "few", End: true } };

  test("follows the first rule that holds, or else Default", async () => {
    const states = { A: { ...choice, Default: "Few" }, ...ends };
    expect((await runStates(states, { n: 2 })).output).toBe("many");
    expect((await runStates(states, { n: 1 })).output).toBe("few");
  });

  test("fails as States.NoChoiceMatched without a match and a Default", async () =>
    expect(await runStates({ A: choice, Many: ends.Many }, { n: 1 })).toMatchObject({
      error: "States.NoChoiceMatched",
    }));

  test("fails as States.Runtime for a missing variable", async () =>
    expect(await runStates({ A: choice, Many: ends.Many })).toMatchObject({ error: "States.Runtime" }));

  test("ends a loop without a wait at the quota of events", { tags: "deep" }, async () => {
    const states = { A: { ...choice, Default: "B" }, B: { Type: "Pass", Next: "A" }, Many: ends.Many };
    const { register, start, machines } = createExecutor();
    register({ StartAt: "A", States: states });
    const { arn, status, error } = await start({ n: 0 });
    expect([status, error]).toEqual(["FAILED", "States.Runtime"]);
    expect(machines.history(arn).length).toBeLessThan(25_010);
  });
});

describe("the terminal states", () => {
  test("return the selected output for Succeed", async () =>
    expect(await runStates({ A: { Type: "Succeed", OutputPath: "$.a" } }, { a: 1 })).toMatchObject({
      status: "SUCCEEDED",
      output: 1,
    }));

  test("end with error and cause, fixed or by path, for Fail", async () => {
    const fixed = { Type: "Fail", Error: "Broken", Cause: "because" };
    expect(await runStates({ A: fixed })).toMatchObject({ status: "FAILED", error: "Broken", cause: "because" });
    const byPath = { Type: "Fail", ErrorPath: "$.e", CausePath: "$.c" };
    expect(await runStates({ A: byPath }, { e: "E", c: "C" })).toMatchObject({ error: "E", cause: "C" });
  });
});
