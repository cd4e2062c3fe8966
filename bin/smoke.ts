import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import { runSmokeTest, SmokeFailed } from "../lib/cli/deploy/smoke-test.ts";

const USAGE = `Usage: npm run smoke -- <base url> --key <api key>

Creates a user in a running service, sends a sample, reads it back, finds its event in GET /v2/events, and deletes the
user. Prints each step. The exit code is 0 for success.

<base url>  the output Address of the stack Edge if it exists, else of the stack Api
--key       an API key of a team; SMOKE_KEY by default`;

const PAUSE_MS = 1_000;
/** Cold starts take some seconds, and the sweeper repairs a failed relay within two minutes. */
const MAX_ATTEMPTS = 150;

function parseArguments() {
  try {
    const { values, positionals } = parseArgs({ options: { key: { type: "string" } }, allowPositionals: true });
    const [baseUrl, ...others] = positionals;
    const key = values.key ?? process.env.SMOKE_KEY;
    return baseUrl && key && others.length === 0 ? { baseUrl: baseUrl.replace(/\/+$/, ""), key } : undefined;
  } catch {
    return undefined;
  }
}

const options = parseArguments();
if (options) {
  const startMs = Date.now();
  const report = (step: string) => console.log(`${((Date.now() - startMs) / 1000).toFixed(1).padStart(6)} s  ${step}`);
  try {
    await runSmokeTest({ ...options, report, pause: () => pause(PAUSE_MS), maxAttempts: MAX_ATTEMPTS });
    report("passed");
  } catch (error) {
    console.error(error instanceof SmokeFailed ? `Failed: ${error.message}` : error);
    process.exitCode = 1;
  }
} else {
  console.error(USAGE);
  process.exitCode = 2;
}
