import { rmSync } from "node:fs";
import * as iam from "aws-cdk-lib/aws-iam";
import * as sqs from "aws-cdk-lib/aws-sqs";
import { App, Aws, CfnResource, Stack } from "aws-cdk-lib/core";
import { expect, test } from "vitest";
import { ManagedPolicies } from "../../../lib/stacks/permissions/managed-policies.ts";
import { maxPolicySize } from "../../../lib/stacks/permissions/policy-size.ts";
import { parseStatements } from "../support/policy-document.ts";

/** A stack with a role, and a resource that depends on the role's policies. */
function stackWith(count: number) {
  const app = new App({ builtinCloudFormationValidation: false });
  const stack = new Stack(app, "Planted");
  const role = new iam.Role(stack, "Role", { assumedBy: new iam.ServicePrincipal("lambda.amazonaws.com") });
  const policies = new ManagedPolicies(stack, role);
  const waiting = new CfnResource(stack, "Waiting", { type: "AWS::SQS::Queue" });
  waiting.node.addDependency(policies);
  const actions = Array.from(
    { length: count },
    (_, place) => `sqs:Action${String.fromCharCode(65 + (place % 26))}${place}`,
  );
  const { queueArn } = new sqs.Queue(stack, "Queue");
  for (const action of actions) {
    const sid = `S${action.slice(4)}`;
    policies.add([{ statement: new iam.PolicyStatement({ actions: [action], resources: [queueArn], sid }) }]);
  }
  const { Resources } = app.synth().getStackByName("Planted").template;
  rmSync(app.outdir, { recursive: true, force: true });
  const made = Object.entries<{ Type: string; Properties: Record<string, unknown>; DependsOn?: string[] }>(Resources);
  const parts = made.filter(([, { Type }]) => Type === "AWS::IAM::ManagedPolicy");
  return { actions, parts, waiting: Resources.Waiting };
}

test("one policy contains the statements that fit", () => {
  const { parts, actions } = stackWith(5);
  expect(parts.map(([id]) => id.slice(0, -8))).toEqual(["Policy"]);
  expect(parts.flatMap(([, { Properties }]) => parseStatements(Properties.PolicyDocument)).length).toBe(actions.length);
});

test("further policies contain the other statements, each whole and once, and dependents wait for all policies", () => {
  const { parts, actions, waiting } = stackWith(90);
  expect(parts.map(([id]) => id.slice(0, -8))).toEqual(["Policy", "Policy2", "Policy3"]);
  const statements = parts.flatMap(([, { Properties }]) => parseStatements(Properties.PolicyDocument));
  expect(statements.flatMap(({ Action }) => Action)).toEqual(actions);
  for (const [id, { Properties }] of parts) {
    expect(Properties.Roles).toEqual([{ Ref: expect.stringMatching(/^Role/) }]);
    expect(waiting.DependsOn).toContain(id);
  }
});

test("a reference counts with its maximum length", () => {
  const app = new App();
  rmSync(app.outdir, { recursive: true, force: true });
  const stack = new Stack(app, "Planted");
  const queue = new sqs.Queue(stack, "Queue");
  const longest = "arn:aws-us-gov:sqs:us-gov-west-1:111122223333:Planted-Queue4A7E3555-1A2B3C4D5E6F7";
  expect(maxPolicySize(stack, { Resource: queue.queueArn })).toBeGreaterThanOrEqual(
    JSON.stringify({ Resource: longest }).length,
  );
  expect(maxPolicySize(stack, `${Aws.PARTITION}:${Aws.REGION} x`)).toBe('"aws-us-gov:ap-southeast-1x"'.length);
  expect(() => maxPolicySize(stack, { Resource: Aws.NOTIFICATION_ARNS })).toThrow("is unknown");
});
