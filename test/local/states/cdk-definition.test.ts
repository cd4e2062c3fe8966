import { App, Duration, Stack } from "aws-cdk-lib";
import { Template } from "aws-cdk-lib/assertions";
import { Function as LambdaFunction } from "aws-cdk-lib/aws-lambda";
import {
  Choice,
  Condition,
  DefinitionBody,
  StateMachine,
  Succeed,
  TaskInput,
  Wait,
  WaitTime,
} from "aws-cdk-lib/aws-stepfunctions";
import { LambdaInvoke } from "aws-cdk-lib/aws-stepfunctions-tasks";
import { expect, test } from "vitest";
import * as z from "zod";
import { createExecutor, lambdaArn, lambdaError, MACHINE_ARN } from "./executor.ts";

const definitionString = z.object({ "Fn::Join": z.tuple([z.literal(""), z.array(z.union([z.string(), z.object()]))]) });

/** Synthesizes a machine as an application declares it; the template's only intrinsic is the partition. */
function synthesized(): string {
  const stack = new Stack(new App(), "Stack");
  const erase = new LambdaInvoke(stack, "Erase", {
    lambdaFunction: LambdaFunction.fromFunctionArn(stack, "Function", lambdaArn("erase")),
    payload: TaskInput.fromObject({ user_id: TaskInput.fromJsonPathAt("$.user_id").value }),
    resultPath: "$.step",
    resultSelector: { "more.$": "$.Payload.more" },
  });
  const more = new Choice(stack, "More?")
    .when(Condition.booleanEquals("$.step.more", true), erase)
    .otherwise(new Succeed(stack, "Erased"));
  const grace = new Wait(stack, "Grace", { time: WaitTime.timestampPath("$.erase_at") });
  new StateMachine(stack, "Machine", {
    definitionBody: DefinitionBody.fromChainable(grace.next(erase).next(more)),
    timeout: Duration.days(30),
  });
  const [machine] = Object.values(Template.fromStack(stack).findResources("AWS::StepFunctions::StateMachine"));
  const { "Fn::Join": join } = definitionString.parse(machine?.Properties.DefinitionString);
  return join[1].map((part) => (typeof part === "string" ? part : "aws")).join("");
}

test("a machine synthesized by CDK waits, loops over its Lambda function, retries and succeeds", async () => {
  const { clock, machines, settle, advance, calls } = createExecutor({
    answer: () => {
      if (calls.length === 2) throw lambdaError("Lambda.ServiceException");
      return { more: calls.length < 4 };
    },
  });
  machines.register({ name: "machine", arn: MACHINE_ARN, definition: synthesized() });
  const dueAt = clock.now() + 604_800_000;
  const input = { user_id: "u1", erase_at: new Date(dueAt).toISOString() };
  const { arn } = machines.start(MACHINE_ARN, JSON.stringify(input));
  await settle();
  await advance(604_800);
  await advance(10);

  expect(calls.map(({ payload }) => payload)).toEqual(Array(4).fill({ user_id: "u1" }));
  expect(calls[0]?.at).toBe(dueAt);
  const { status, output } = machines.describe(arn);
  expect([status, JSON.parse(output ?? "")]).toEqual(["SUCCEEDED", { ...input, step: { more: false } }]);
  const entered = machines.history(arn).filter(({ type }) => type.endsWith("Entered"));
  expect(entered.map(({ name }) => name)).toEqual([
    "Grace",
    "Erase",
    "More?",
    "Erase",
    "More?",
    "Erase",
    "More?",
    "Erased",
  ]);
});
