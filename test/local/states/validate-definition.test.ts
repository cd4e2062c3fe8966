import { describe, expect, test } from "vitest";
import { parseDefinition } from "../../../lib/local/states/asl-definition.ts";
import { validateDefinition } from "../../../lib/local/states/validate-definition.ts";
import { lambdaArn } from "./executor.ts";

function load(state: object, more: object = {}) {
  return parseDefinition(JSON.stringify({ StartAt: "A", States: { A: state }, ...more }));
}

const task = { Type: "Task", Resource: lambdaArn("f"), End: true };

test("a supported definition is read, with the retry defaults filled in", () => {
  const { States } = load({ ...task, Retry: [{ ErrorEquals: ["States.ALL"] }] });
  expect(States.A).toMatchObject({ Retry: [{ IntervalSeconds: 1, BackoffRate: 2, MaxAttempts: 3 }], Catch: [] });
});

describe("JSONata is refused", () => {
  const jsonata = /QueryLanguage JSONata is not supported locally/;

  test("for the whole machine", () =>
    expect(() =>
      load({ Type: "Pass", Output: "{% $states.input %}", End: true }, { QueryLanguage: "JSONata" }),
    ).toThrow(jsonata));

  test("for one state", () =>
    expect(() => load({ Type: "Pass", QueryLanguage: "JSONata", End: true })).toThrow(jsonata));

  test("inside a Map", () => {
    const inner = { B: { Type: "Succeed", QueryLanguage: "JSONata" } };
    expect(() => load({ Type: "Map", ItemProcessor: { StartAt: "B", States: inner }, End: true })).toThrow(jsonata);
  });
});

describe("an unsupported feature is refused instead of ignored", () => {
  test.each([
    ["other services", { ...task, Resource: "arn:aws:states:::sqs:sendMessage" }, /only Lambda tasks/],
    ["task tokens", { ...task, Resource: "arn:aws:states:::lambda:invoke.waitForTaskToken" }, /task token/],
    [
      "fire and forget",
      {
        ...task,
        Resource: "arn:aws:states:::lambda:invoke",
        Parameters: { FunctionName: lambdaArn("f"), InvocationType: "Event" },
      },
      /RequestResponse/,
    ],
    ["variables", { Type: "Pass", Assign: { a: 1 }, End: true }, /Assign/],
    ["intrinsic functions", { ...task, Parameters: { "x.$": "States.UUID()" } }, /intrinsic functions/],
    ["filters in paths", { ...task, InputPath: "$.a[?(@.b)]" }, /uses an operator/],
    [
      "parallel branches",
      { Type: "Parallel", Branches: [{ StartAt: "B", States: { B: { Type: "Succeed" } } }], End: true },
      /Type/,
    ],
  ])("%s", (_what, state, message) => expect(() => load(state)).toThrow(message));
});

describe("an invalid definition is refused when it is created", () => {
  const check = (state: object) => validateDefinition(JSON.stringify({ StartAt: "A", States: { A: state } }));

  test("a missing target", () =>
    expect(() => check({ Type: "Pass", Next: "Nowhere" })).toThrow(/MISSING_TRANSITION_TARGET/));

  test("a wait with two durations", () =>
    expect(() => check({ Type: "Wait", Seconds: 1, SecondsPath: "$.s", End: true })).toThrow(/WAIT_DURATION/));

  test("text that is not JSON", () => expect(() => validateDefinition("{")).toThrow(SyntaxError));
});
