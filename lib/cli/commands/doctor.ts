import { readFileSync } from "node:fs";
import * as z from "zod";
import { declareCommand } from "../frame/declaration.ts";
import { option } from "../frame/values.ts";

const marks = { ok: "ok      ", problem: "PROBLEM ", unknown: "?       " } as const;
const styles = { ok: "green", problem: "red", unknown: "yellow" } as const;

export const doctor = declareCommand({
  name: "doctor",
  summary: "Checks the prerequisites of a deployment, one line each",
  description: [
    "Names what to do about each problem. The command only reads.",
    'Without a network, the checks that need one are marked "?". The exit code is 1 if a check finds a problem.',
  ],
  options: { stage: option("<stage>", "stage of cdk.json", z.string().optional()) },
  examples: [["doctor --stage dev", "before the first deployment"]],
  json: "option",
  run: async ({ stage }, session) => {
    const { runAwsCli } = await import("../deploy/aws-cli.ts");
    const { createChecks } = await import("../deploy/checks.ts");
    const { runChecks } = await import("../deploy/run-checks.ts");
    const { context } = JSON.parse(readFileSync("cdk.json", "utf8"));
    const [nodeVersion, region] = [process.versions.node, await readRegion()];
    const checks = createChecks({ nodeVersion, context, stage, region, runAwsCli, size: await countGroupsAndRoutes() });
    const results: object[] = [];
    const { problems } = await runChecks(checks, (check, { state, message }) => {
      results.push({ check, state, message });
      session.print(`${session.style(styles[state], marks[state])}${check.padEnd(20)}${message}`);
    });
    return { isOk: problems === 0, data: { problems, checks: results } };
  },
});

/** Region of the environment, else of the profile. */
async function readRegion(): Promise<string | undefined> {
  const { AWS_REGION, AWS_DEFAULT_REGION } = process.env;
  if (AWS_REGION ?? AWS_DEFAULT_REGION) return AWS_REGION ?? AWS_DEFAULT_REGION;
  const { DynamoDBClient } = await import("@aws-sdk/client-dynamodb");
  return new DynamoDBClient({}).config.region().catch(() => undefined);
}

async function countGroupsAndRoutes() {
  const { endpoints } = await import("../../../functions/index.ts");
  const { isOnMainApiToo } = await import("../../contract/console/console-path.ts");
  const countRoutes = (isManagement: boolean) =>
    endpoints
      .filter(({ auth }) => (auth === "management") === isManagement)
      .reduce((sum, { aliases }) => sum + 1 + aliases.length, 0);
  const endpointGroups = new Set(endpoints.map(({ tag }) => tag)).size;
  const ofConsole = endpoints.filter(isOnMainApiToo).length;
  return { endpointGroups, routes: Math.max(countRoutes(true), countRoutes(false) + ofConsole) };
}
