import { expect, test } from "vitest";
import * as z from "zod";
import { validateDefinition } from "../../lib/local/states/validate-definition.ts";
import { readStateMachines } from "../../lib/local/template/read-resources.ts";
import { parseStatements } from "./support/policy-document.ts";
import { findResource, resourcesOfType, synthesizeService } from "./support/synthesize.ts";

const service = synthesizeService();
const [machine] = readStateMachines(service.assembly);
const definition = z
  .looseObject({ States: z.record(z.string(), z.looseObject({ Type: z.string() })) })
  .parse(JSON.parse(machine?.definition ?? "{}"));

test("the definition is valid Amazon States Language", { tags: "deep" }, () => {
  validateDefinition(JSON.stringify(definition));
  expect(() => validateDefinition(JSON.stringify({ ...definition, StartAt: "Nowhere" }))).toThrow("StartAt");
});

test("every task has ten retries with increasing delays", () => {
  const tasks = Object.values(definition.States).filter(({ Type }) => Type === "Task");
  expect(tasks).toHaveLength(4);
  for (const task of tasks) {
    expect(task.Retry).toEqual([
      { ErrorEquals: ["States.ALL"], IntervalSeconds: 10, MaxAttempts: 10, BackoffRate: 2, MaxDelaySeconds: 3600 },
    ]);
  }
});

test("a failed provider does not block the erasure", () => {
  expect(definition.States["Give access back"]).toMatchObject({
    Next: "Erase from lake",
    Catch: [{ ErrorEquals: ["States.ALL"], Next: "Erase from lake", ResultPath: null }],
  });
});

test("the user's data goes after the lake, which the data leads to", () => {
  expect(definition.States["Erase from lake"]).toMatchObject({ Next: "Erase user" });
  expect(definition.States["Erase from lake"]).not.toHaveProperty("Catch");
});

test("the machine invokes only its functions", () => {
  const called = Object.values(definition.States).flatMap(
    ({ Parameters }) => z.looseObject({ FunctionName: z.string() }).safeParse(Parameters).data ?? [],
  );
  const steps = ["beginErasure", "endConsents", "eraseFromLake", "eraseUser"].map(
    (operationId) => findResource(service, "AWS::Lambda::Function", `${operationId}Function`).arn,
  );
  expect(called.map(({ FunctionName }) => FunctionName).toSorted()).toEqual(steps.toSorted());
});

test("its log and trace contain no execution data", () => {
  const [found] = resourcesOfType(service, "AWS::StepFunctions::StateMachine");
  expect(found?.properties).toMatchObject({
    LoggingConfiguration: { IncludeExecutionData: false, Level: "ALL" },
    TracingConfiguration: { Enabled: true },
  });
});

test("its role may read the sampling rules of X-Ray, without which no execution has a trace", () => {
  const { properties } = findResource(service, "AWS::IAM::ManagedPolicy", "MachinePolicy");
  expect(parseStatements(properties.PolicyDocument).flatMap(({ Action }) => Action)).toEqual(
    expect.arrayContaining(["xray:GetSamplingRules", "xray:GetSamplingTargets"]),
  );
});
