import { equal, ok, rejects } from "node:assert/strict";
import { readFileSync } from "node:fs";
import { callAws, type Environment, listDenials, runCdk } from "./command.ts";
import type { Steps } from "./steps.ts";

const ACCOUNT = "111122223333";
/** Name of the role that deploys. It stays when the stacks are destroyed. */
export const DEPLOYING_ROLE = "deploy";

const roleArn = (name: string) => `arn:aws:iam::${ACCOUNT}:role/${name}`;

/** Creates a role that trusts every principal of the account whose own policy allows the call. */
async function createTrustingRole(RoleName: string): Promise<void> {
  const trust = { Effect: "Allow", Principal: { AWS: `arn:aws:iam::${ACCOUNT}:root` }, Action: "sts:AssumeRole" };
  const AssumeRolePolicyDocument = JSON.stringify({ Version: "2012-10-17", Statement: [trust] });
  await callAws("iam", "CreateRole", { RoleName, AssumeRolePolicyDocument });
}

/** Creates the role that deploys, with the policy of docs/policies/deploying-role.json and nothing else. */
export async function createRole(): Promise<void> {
  await createTrustingRole(DEPLOYING_ROLE);
  const PolicyDocument = readFileSync("docs/policies/deploying-role.json", "utf8");
  await callAws("iam", "PutRolePolicy", { RoleName: DEPLOYING_ROLE, PolicyName: DEPLOYING_ROLE, PolicyDocument });
}

/** @returns variables with a session of the role that deploys. */
async function startSession(): Promise<Environment> {
  const input = { RoleArn: roleArn(DEPLOYING_ROLE), RoleSessionName: DEPLOYING_ROLE };
  const { Credentials } = await callAws("sts", "AssumeRole", input);
  return {
    AWS_ACCESS_KEY_ID: Credentials.AccessKeyId,
    AWS_SECRET_ACCESS_KEY: Credentials.SecretAccessKey,
    AWS_SESSION_TOKEN: Credentials.SessionToken,
  };
}

/** Runs the project's own cdk with the permissions of the role that deploys. */
export const runCdkAsRole = async (...words: string[]): Promise<string> => runCdk(words, await startSession());

/** A role of the account that the deployment does not name. Its own policy trusts the whole account. */
const FOREIGN_ROLE = "payroll";

/** What the role that deploys must not do: as service, operation and input. */
const forbidden: readonly (readonly [string, string, object?])[] = [
  ["lambda", "ListFunctions"],
  ["dynamodb", "ListTables"],
  ["dynamodb", "Scan", { TableName: "any" }],
  ["sts", "AssumeRole", { RoleArn: roleArn(FOREIGN_ROLE), RoleSessionName: DEPLOYING_ROLE }],
  ["iam", "CreateAccessKey", { UserName: "any" }],
  ["cloudformation", "DeleteStack", { StackName: "any" }],
];

/** Creates the role that deploys, and shows what it may do itself. @returns the denials. */
export async function runRoleStory(steps: Steps): Promise<string[]> {
  await steps.run("an administrator creates the role that deploys", createRole);
  return steps.run("which reads what npm run doctor reads, and nothing of data, functions or other roles", async () => {
    await createTrustingRole(FOREIGN_ROLE);
    const session = await startSession();
    const { Parameter } = await callAws("ssm", "GetParameter", { Name: "/cdk-bootstrap/hnb659fds/version" }, session);
    ok(Number(Parameter.Value) > 0);
    await callAws("cloudformation", "ListStacks", {}, session);
    await callAws("lambda", "GetAccountSettings", {}, session);
    const before = listDenials().length;
    for (const [service, operation, input = {}] of forbidden) {
      await rejects(callAws(service, operation, input, session), /AccessDenied/, `${service} ${operation}`);
    }
    await callAws("iam", "DeleteRole", { RoleName: FOREIGN_ROLE });
    const denied = listDenials().slice(before);
    equal(denied.length, forbidden.length);
    return denied;
  });
}
