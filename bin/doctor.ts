import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { endpoints } from "../functions/index.ts";
import { askByCommandLine } from "../lib/terminal/deploy/ask-aws.ts";
import { type CheckResult, runChecks } from "../lib/terminal/deploy/check.ts";
import { checksOf } from "../lib/terminal/deploy/checks.ts";

const USAGE = `Usage: npm run doctor [-- --stage <stage of cdk.json>]

Checks what a deployment depends on, one line each, and says what to do about problems. Reads only; what can not be
asked, as without a network, is said to be so. The exit code is 1 when there is a problem.`;

/** Data, operations, messaging, two APIs, consumers, deletion and the dashboard stand beside the folders of endpoints. */
const OTHER_STACKS = 8;

const marks: Readonly<Record<CheckResult["state"], string>> = {
  ok: "ok      ",
  problem: "PROBLEM ",
  unknown: "?       ",
};

/** Region of the environment, or else of the profile. */
async function configuredRegion(): Promise<string | undefined> {
  const { AWS_REGION, AWS_DEFAULT_REGION } = process.env;
  if (AWS_REGION ?? AWS_DEFAULT_REGION) return AWS_REGION ?? AWS_DEFAULT_REGION;
  const { DynamoDBClient } = await import("@aws-sdk/client-dynamodb");
  return new DynamoDBClient({}).config.region().catch(() => undefined);
}

function size() {
  const routes = (isManagement: boolean) =>
    endpoints
      .filter(({ auth }) => (auth === "management") === isManagement)
      .reduce((sum, { aliases }) => sum + 1 + aliases.length, 0);
  return {
    stacks: new Set(endpoints.map(({ tag }) => tag)).size + OTHER_STACKS,
    routes: Math.max(routes(true), routes(false)),
  };
}

const { values } = parseArgs({ options: { stage: { type: "string" }, help: { type: "boolean" } } });
if (values.help) {
  console.log(USAGE);
} else {
  const { context } = JSON.parse(readFileSync("cdk.json", "utf8"));
  const checks = checksOf({
    nodeVersion: process.versions.node,
    context,
    stage: values.stage,
    region: await configuredRegion(),
    ask: askByCommandLine,
    size: size(),
  });
  const { problems } = await runChecks(checks, (about, { state, says }) =>
    console.log(`${marks[state]}${about.padEnd(20)}${says}`),
  );
  process.exitCode = problems > 0 ? 1 : 0;
}
