import { equal, notEqual, ok } from "node:assert/strict";
import { callAws, listDenials } from "./command.ts";
import type { Deployment } from "./deployment.ts";
import type { Steps } from "./steps.ts";

/** A change of a function's policy, and a request to the function, which IAM must then deny. */
interface PolicyChange {
  readonly name: string;
  readonly stack: string;
  readonly operationId: string;
  readonly from: string;
  readonly to: string;
  readonly deniedAction: string;
  readonly request: (deployment: Deployment, userId: string) => Promise<{ readonly status: number }>;
}

const getUser = {
  stack: "Tributary-Api-users",
  operationId: "getUser",
  deniedAction: "dynamodb:GetItem",
  request: (deployment: Deployment, userId: string) => deployment.request("GET", `/v2/user/${userId}`),
};

const changes: readonly PolicyChange[] = [
  { ...getUser, name: "a function without an action is denied", from: '"dynamodb:GetItem"', to: '"dynamodb:Query"' },
  { ...getUser, name: "a function with another key prefix is denied", from: '"user#*"', to: '"other#*"' },
  {
    name: "a function with another purpose of its encryption key is denied",
    stack: "Tributary-Api-management-webhooks",
    operationId: "createWebhook",
    from: '"webhook-secret"',
    to: '"other"',
    deniedAction: "kms:GenerateDataKey",
    request: (deployment) => {
      const body = { url: "http://127.0.0.1:9/", disabled: true };
      return deployment.requestManagement("POST", `/team/${deployment.teamId}/sandbox/webhook`, body);
    },
  },
];

/** Shows that the emulator enforces the policies of the templates: changes three, and restores them. @returns the denials. */
export async function runPolicyStory(steps: Steps, deployment: Deployment, userId: string): Promise<string[]> {
  const all: string[] = [];
  for (const change of changes) {
    all.push(...(await steps.run(change.name, () => tryChange(change, deployment, userId))));
  }
  return all;
}

/** @returns the denials that the change caused. */
async function tryChange(change: PolicyChange, deployment: Deployment, userId: string): Promise<string[]> {
  const PolicyArn = await findPolicy(change);
  const { PolicyVersion } = await callAws("iam", "GetPolicyVersion", { PolicyArn, VersionId: "v1" });
  const original = JSON.stringify(PolicyVersion.Document);
  const changed = original.replaceAll(change.from, change.to);
  notEqual(changed, original);
  const before = listDenials().length;
  await putPolicy(PolicyArn, changed);
  const { status } = await change.request(deployment, userId).finally(() => putPolicy(PolicyArn, original));
  equal(status, 500);
  const denied = listDenials().slice(before);
  ok(denied.length > 0, "IAM denied nothing");
  ok(
    denied.every((line) => line.includes(change.operationId) && line.includes(change.deniedAction)),
    denied.join(),
  );
  ok((await change.request(deployment, userId)).status < 300, "the restored policy allows nothing");
  return denied;
}

async function findPolicy({ stack, operationId }: PolicyChange): Promise<string> {
  const { StackResourceSummaries } = await callAws("cloudformation", "ListStackResources", { StackName: stack });
  const name = new RegExp(`^${operationId}Policy[0-9A-F]{8}$`);
  const found = StackResourceSummaries.find(({ LogicalResourceId: id }: { LogicalResourceId: string }) =>
    name.test(id),
  );
  return found.PhysicalResourceId;
}

/** Stores a version of a policy as its default; the emulator cannot go back to an older version. */
const putPolicy = (PolicyArn: string, PolicyDocument: string) =>
  callAws("iam", "CreatePolicyVersion", { PolicyArn, PolicyDocument, SetAsDefault: true });
