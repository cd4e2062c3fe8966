import { describe, expect, test } from "vitest";
import type { AwsCliResult, RunAwsCli } from "../../../lib/cli/deploy/aws-cli.ts";
import { type CheckEnvironment, createChecks } from "../../../lib/cli/deploy/checks.ts";
import { runChecks } from "../../../lib/cli/deploy/run-checks.ts";

const certificateArn = "arn:aws:acm:eu-central-1:111122223333:certificate/0a1b2c3d";

/** Outputs of the AWS CLI, by service. */
const answers: Readonly<Record<string, unknown>> = {
  sts: { UserId: "A", Account: "111122223333", Arn: "arn:aws:iam::111122223333:user/ada" },
  ssm: { Parameter: { Name: "/cdk-bootstrap/hnb659fds/version", Type: "String", Value: "30" } },
  lambda: { AccountLimit: { ConcurrentExecutions: 1000, UnreservedConcurrentExecutions: 1000 }, AccountUsage: {} },
  cloudformation: 12,
};

const answering =
  (changed: Readonly<Record<string, AwsCliResult>> = {}): RunAwsCli =>
  async (service = "") =>
    changed[service] ?? { kind: "answer", value: answers[service] };

const offline: RunAwsCli = async () => ({ kind: "unreachable", why: "Could not connect to the endpoint URL" });

/** The message of each check, by its subject. */
async function diagnosed(around: Partial<CheckEnvironment> = {}) {
  const said: Record<string, string> = {};
  const usual = { nodeVersion: "24.21.0", context: {}, stage: undefined, region: "us-east-1", runAwsCli: answering() };
  const checks = createChecks({ ...usual, size: { endpointGroups: 28, routes: 180 }, ...around });
  const { problems } = await runChecks(checks, (about, { state, message }) => {
    said[about] = `${state}: ${message}`;
  });
  return { said, problems };
}

test("a healthy account has no problems, and each check reports what it found", async () => {
  const { said, problems } = await diagnosed();
  expect(problems).toBe(0);
  expect(Object.values(said).filter((line) => !line.startsWith("ok: "))).toEqual([]);
  expect(said["AWS credentials"]).toContain("111122223333");
  expect(said["CDK bootstrap"]).toContain("version 30");
});

test.each([
  ["by default", {}, 36],
  ["with CloudFront", { edge: {} }, 37],
  ["without a dashboard", { dashboard: false }, 35],
])("the stacks of the configuration count: %s", async (_, context, stacks) => {
  const { said } = await diagnosed({ context });
  expect(said.Stacks).toContain(`this service has ${stacks},`);
});

test("an unreachable AWS is reported per check and is not a problem", async () => {
  const { said, problems } = await diagnosed({ runAwsCli: offline });
  expect(problems).toBe(0);
  const unasked = Object.entries(said).filter(([, line]) => line.startsWith("unknown: AWS could not be reached"));
  expect(unasked.map(([about]) => about)).toEqual(["AWS credentials", "CDK bootstrap", "Lambda concurrency", "Stacks"]);
});

test("a check that throws does not stop the others", async () => {
  const breaking: RunAwsCli = async () => {
    throw new Error("broken pipe");
  };
  const { said } = await diagnosed({ runAwsCli: breaking });
  expect(said.Stacks).toBe("unknown: the check failed: broken pipe");
});

describe("a problem names the remedy", () => {
  const refused = (why: string): AwsCliResult => ({ kind: "refused", why: `An error occurred (${why}) when calling` });
  const NONE = 'Unable to locate credentials. You can configure credentials by running "aws login".';
  const eu = { region: "eu" };

  test.each<[string, Partial<CheckEnvironment>, string]>([
    ["Node", { nodeVersion: "20.11.0" }, "npm ci"],
    ["Configuration", { context: { logRetentionDays: 8 } }, "logRetentionDays"],
    ["Configuration", { stage: "prod" }, "cdk.json has no stage prod"],
    ["AWS region", { region: undefined }, "AWS_REGION"],
    ["AWS region", { context: eu }, "says region eu"],
    ["AWS region", { region: "eu-west-1" }, "says region us"],
    ["AWS region", { context: { edge: {} }, region: "us-west-2" }, "edge.webAclArn"],
    ["Certificates", { context: { domain: { name: "api.example.com", certificateArn } } }, "eu-central-1"],
    ["Routes", { size: { endpointGroups: 28, routes: 301 } }, "Service Quotas"],
    ["AWS credentials", { runAwsCli: answering({ sts: refused("ExpiredToken") }) }, "sign in again"],
    ["AWS credentials", { runAwsCli: answering({ sts: { kind: "refused", why: NONE } }) }, "none are set"],
    ["CDK bootstrap", { runAwsCli: answering({ ssm: refused("ParameterNotFound") }) }, "npx cdk bootstrap"],
    [
      "CDK bootstrap",
      { runAwsCli: answering({ ssm: { kind: "answer", value: { Parameter: { Value: "5" } } } }) },
      "npx cdk bootstrap",
    ],
    [
      "Lambda concurrency",
      { runAwsCli: answering({ lambda: { kind: "answer", value: { AccountLimit: { ConcurrentExecutions: 10 } } } }) },
      "Service Quotas",
    ],
    ["Stacks", { runAwsCli: answering({ cloudformation: { kind: "answer", value: 1_990 } }) }, "Service Quotas"],
  ])("%s: %o", async (about, around, advice) => {
    const { said, problems } = await diagnosed(around);
    expect(said[about]).toMatch(/^problem: /);
    expect(said[about]).toContain(advice);
    expect(problems).toBe(1);
  });
});
