import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as z from "zod";
import { planBursts } from "./plan-bursts.ts";
import { shrinkScript } from "./shrink-script.ts";
import type { SimulationScript } from "./simulation-script.ts";

const ONE_RUN_MS = 30 * 60_000;
/** More steps than any run that somebody waits for. */
const MAX_STEPS = 2 ** 22;

const report = z.object({ trace_steps: z.number() });

/**
 * Shrinks a failing script. Each run is a process of its own, because a simulation changes clock and randomness of its
 * process for good.
 * @param onRun receives the number of runs so far.
 */
export async function findShortestScript(failing: SimulationScript, onRun: (runs: number) => void) {
  const directory = mkdtempSync(join(tmpdir(), "tributary-shrink-"));
  let runs = 0;
  const run = (script: SimulationScript) => {
    onRun(++runs);
    return simulateInProcess(script, join(directory, "script.json"));
  };
  try {
    const pushes = failing.pushes ?? planBursts(failing.seed, failing.events, failing.users).flatMap(toNames);
    const { steps } = await run(failing);
    return await shrinkScript(failing, { pushes, steps }, async (script) => (await run(script)).isFailing);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

const toNames = ({ pushes }: ReturnType<typeof planBursts>[number]) => pushes.map(({ name }) => name);

function simulateInProcess(script: SimulationScript, file: string): Promise<{ isFailing: boolean; steps: number }> {
  writeFileSync(file, JSON.stringify(script));
  const command = ["bin/tributary.ts", "simulate", "--script", file, "--json"];
  return new Promise((resolve) => {
    execFile(process.execPath, command, { timeout: ONE_RUN_MS, maxBuffer: 2 ** 28 }, (error, stdout) => {
      const { data } = report.safeParse(parseLastLine(stdout));
      resolve({ isFailing: error !== null, steps: data?.trace_steps ?? MAX_STEPS });
    });
  });
}

/** A simulation that breaks off prints no JSON. */
function parseLastLine(text: string): unknown {
  try {
    return JSON.parse(text.trim().split("\n").at(-1) ?? "");
  } catch {
    return undefined;
  }
}
