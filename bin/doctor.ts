import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { endpoints } from "../functions/index.ts";
import { runAwsCli } from "../lib/cli/deploy/aws-cli.ts";
import { createChecks } from "../lib/cli/deploy/checks.ts";
import { type CheckResult, runChecks } from "../lib/cli/deploy/run-checks.ts";

const USAGE = `Usage: npm run doctor [-- --stage <stage of cdk.json>]

Checks the prerequisites of a deployment and prints one line per check, with instructions for each problem. The command
only reads. Checks that need a network are marked "?" without one. The exit code is 1 when a check finds a problem.`;

const marks: Readonly<Record<CheckResult["state"], string>> = {
  ok: "ok      ",
  problem: "PROBLEM ",
  unknown: "?       ",
};

/** Region of the environment, else of the profile. */
async function readRegion(): Promise<string | undefined> {
  const { AWS_REGION, AWS_DEFAULT_REGION } = process.env;
  if (AWS_REGION ?? AWS_DEFAULT_REGION) return AWS_REGION ?? AWS_DEFAULT_REGION;
  const { DynamoDBClient } = await import("@aws-sdk/client-dynamodb");
  return new DynamoDBClient({}).config.region().catch(() => undefined);
}

function countGroupsAndRoutes() {
  const routes = (isManagement: boolean) =>
    endpoints
      .filter(({ auth }) => (auth === "management") === isManagement)
      .reduce((sum, { aliases }) => sum + 1 + aliases.length, 0);
  return {
    endpointGroups: new Set(endpoints.map(({ tag }) => tag)).size,
    routes: Math.max(routes(true), routes(false)),
  };
}

const { values } = parseArgs({ options: { stage: { type: "string" }, help: { type: "boolean" } } });
if (values.help) {
  console.log(USAGE);
} else {
  const { context } = JSON.parse(readFileSync("cdk.json", "utf8"));
  const checks = createChecks({
    nodeVersion: process.versions.node,
    context,
    stage: values.stage,
    region: await readRegion(),
    runAwsCli: runAwsCli,
    size: countGroupsAndRoutes(),
  });
  const { problems } = await runChecks(checks, (about, { state, message }) =>
    console.log(`${marks[state]}${about.padEnd(20)}${message}`),
  );
  process.exitCode = problems > 0 ? 1 : 0;
}
