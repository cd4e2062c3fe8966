import { describe, expect, test } from "vitest";
import { createExecutor, lambdaArn, lambdaError, runStates } from "./executor.ts";

const call = { Type: "Task", Resource: lambdaArn("f"), End: true };
const each = { Type: "Map", ItemProcessor: { StartAt: "Call", States: { Call: call } }, End: true };

describe("Map", () => {
  test("runs its iterator once for each item and collects the results in order", async () => {
    const map = { ...each, ItemsPath: "$.list", ResultPath: "$.doubled", MaxConcurrency: 2 };
    const answer = ({ payload }: { payload: unknown }) => Number(payload) * 2;
    expect((await runStates({ M: map }, { list: [1, 2, 3] }, { answer })).output).toEqual({
      list: [1, 2, 3],
      doubled: [2, 4, 6],
    });
  });

  test("of no items returns an empty list", async () => expect((await runStates({ M: each }, [])).output).toEqual([]));

  test("passes the item and the Map's own input to ItemSelector", async () => {
    const selector = { "i.$": "$$.Map.Item.Index", "v.$": "$$.Map.Item.Value.x", "user.$": "$.user" };
    const map = { ...each, ItemsPath: "$.list", ItemSelector: selector };
    expect((await runStates({ M: map }, { user: "u", list: [{ x: "a" }, { x: "b" }] })).output).toEqual([
      { i: 0, v: "a", user: "u" },
      { i: 1, v: "b", user: "u" },
    ]);
  });

  test("passes the item in the context object", async () => {
    const inside = { Type: "Pass", Parameters: { "i.$": "$$.Map.Item.Index", "v.$": "$$.Map.Item.Value" }, End: true };
    const map = { ...each, ItemProcessor: { StartAt: "P", States: { P: inside } } };
    expect((await runStates({ M: map }, ["a", "b"])).output).toEqual([
      { i: 0, v: "a" },
      { i: 1, v: "b" },
    ]);
  });

  test("can be nested", async () => {
    const outer = { ...each, ItemProcessor: { StartAt: "Inner", States: { Inner: each } } };
    expect((await runStates({ M: outer }, [[1, 2], [], [3]])).output).toEqual([[1, 2], [], [3]]);
  });

  test("can wait inside an item", async () => {
    const inside = { Pause: { Type: "Wait", SecondsPath: "$.s", Next: "Call" }, Call: call };
    const { register, start, advance, machines, calls } = createExecutor();
    register({ StartAt: "M", States: { M: { ...each, ItemProcessor: { StartAt: "Pause", States: inside } } } });
    const { arn, startedAt } = await start([{ s: 60 }, { s: 3600 }]);
    await advance(4000);
    expect(machines.describe(arn).status).toBe("SUCCEEDED");
    expect(calls.map(({ at }) => Math.floor((at - startedAt) / 1000))).toEqual([60, 3660]);
  });

  test("fails with an item's failure, which its Catch handles", async () => {
    const map = {
      ...each,
      Catch: [{ ErrorEquals: ["Bad"], ResultPath: "$.failure", Next: "Caught" }],
      ItemsPath: "$.l",
    };
    const states = { M: map, Caught: { Type: "Pass", OutputPath: "$.failure.Error", End: true } };
    const answer = ({ payload }: { payload: unknown }) => {
      if (payload === 2) throw lambdaError("Bad");
    };
    expect((await runStates(states, { l: [1, 2, 3] }, { answer })).output).toBe("Bad");
  });

  test("restarts with its first item after a retry", async () => {
    const retry = [{ ErrorEquals: ["Bad"], IntervalSeconds: 10 }];
    let failures = 1;
    const { register, start, advance, machines, calls } = createExecutor({
      answer: ({ payload }) => {
        if (payload === 2 && failures-- > 0) throw lambdaError("Bad");
        return payload;
      },
    });
    register({ StartAt: "M", States: { M: { ...each, Retry: retry } } });
    const { arn } = await start([1, 2]);
    await advance(10);
    expect(machines.describe(arn)).toMatchObject({ status: "SUCCEEDED", output: "[1,2]" });
    expect(calls.map(({ payload }) => payload)).toEqual([1, 2, 1, 2]);
  });

  test("fails for a non-list as States.Runtime, which no Catch handles", async () => {
    const map = { ...each, ItemsPath: "$.l", Catch: [{ ErrorEquals: ["States.ALL"], Next: "Caught" }] };
    const states = { M: map, Caught: { Type: "Succeed" } };
    expect(await runStates(states, { l: "x" })).toMatchObject({ status: "FAILED", error: "States.Runtime" });
  });
});
