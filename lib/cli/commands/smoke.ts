import { setTimeout as pause } from "node:timers/promises";
import * as z from "zod";
import { runSmokeTest } from "../deploy/smoke-test.ts";
import { UsageRefused } from "../frame/command-failed.ts";
import { declareCommand } from "../frame/declaration.ts";
import { address, argument, option } from "../frame/values.ts";

const PAUSE_MS = 1_000;
/** Cold starts take some seconds, and the sweeper repairs a failed relay within two minutes. */
const MAX_ATTEMPTS = 150;

export const smoke = declareCommand({
  name: "smoke",
  summary: "Sends one sample through a running service",
  description: [
    "Creates a user, sends a sample, reads it back, finds its event in GET /v2/events, and deletes the user.",
    "Prints each step. The address is the output Address of the stack Edge if it exists, else of the stack Api.",
  ],
  args: { baseUrl: argument("<address>", "address of the service", address) },
  options: { key: option("<API key>", "API key of a team; SMOKE_KEY by default", z.string().optional()) },
  examples: [["smoke https://api.example.com --key sk_us_...", "after a deployment"]],
  json: "option",
  failurePrefix: "Failed",
  run: async ({ baseUrl, key = process.env.SMOKE_KEY }, session) => {
    if (!key) throw new UsageRefused("--key or SMOKE_KEY is required");
    const startMs = Date.now();
    const steps: { seconds: number; step: string }[] = [];
    const report = (step: string) => {
      const seconds = (Date.now() - startMs) / 1000;
      steps.push({ seconds, step });
      session.print(`${seconds.toFixed(1).padStart(6)} s  ${step}`);
    };
    await runSmokeTest({ baseUrl, key, report, pause: () => pause(PAUSE_MS), maxAttempts: MAX_ATTEMPTS });
    report("passed");
    return { data: { steps } };
  },
});
