import { equal, ok, rejects } from "node:assert/strict";
import { readFileSync } from "node:fs";
import { callAws, type Environment, listDenials, runCdk } from "./command.ts";
import type { Steps } from "./steps.ts";

const ACCOUNT = "111122223333";
/** Name of the role that deploys. It stays when the stacks are destroyed. */
export const DEPLOYING_ROLE = "deploy";

/** Creates the role that deploys, with the policy of docs/policies/deploying-role.json and nothing else. */
export async function createRole(): Promise<void> {
  const trust = { Effect: "Allow", Principal: { AWS: `arn:aws:iam::${ACCOUNT}:root` }, Action: "sts:AssumeRole" };
  const AssumeRolePolicyDocument = JSON.stringify({ Version: "2012-10-17", Statement: [trust] });
  await callAws("iam", "CreateRole", { RoleName: DEPLOYING_ROLE, AssumeRolePolicyDocument });
  const PolicyDocument = readFileSync("docs/policies/deploying-role.json", "utf8");
  await callAws("iam", "PutRolePolicy", { RoleName: DEPLOYING_ROLE, PolicyName: DEPLOYING_ROLE, PolicyDocument });
}

/** @returns variables with a session of the role that deploys. */
async function startSession(): Promise<Environment> {
  const RoleArn = `arn:aws:iam::${ACCOUNT}:role/${DEPLOYING_ROLE}`;
  const { Credentials } = await callAws("sts", "AssumeRole", { RoleArn, RoleSessionName: DEPLOYING_ROLE });
  return {
    AWS_ACCESS_KEY_ID: Credentials.AccessKeyId,
    AWS_SECRET_ACCESS_KEY: Credentials.SecretAccessKey,
    AWS_SESSION_TOKEN: Credentials.SessionToken,
  };
}

/** Runs the project's own cdk with the permissions of the role that deploys. */
export const runCdkAsRole = async (...words: string[]): Promise<string> => runCdk(words, await startSession());

/** Creates the role that deploys, and shows what it may do itself. @returns the denials. */
export async function runRoleStory(steps: Steps): Promise<string[]> {
  await steps.run("an administrator creates the role that deploys", createRole);
  return steps.run("which reads what npm run doctor reads, and neither functions nor tables", async () => {
    const session = await startSession();
    const { Parameter } = await callAws("ssm", "GetParameter", { Name: "/cdk-bootstrap/hnb659fds/version" }, session);
    ok(Number(Parameter.Value) > 0);
    await callAws("cloudformation", "ListStacks", {}, session);
    await callAws("lambda", "GetAccountSettings", {}, session);
    const before = listDenials().length;
    await rejects(callAws("lambda", "ListFunctions", {}, session), /AccessDenied/);
    await rejects(callAws("dynamodb", "ListTables", {}, session), /AccessDenied/);
    const denied = listDenials().slice(before);
    equal(denied.length, 2);
    return denied;
  });
}
