import { spawn } from "node:child_process";
import { once } from "node:events";

/**
 * Injects every fault into every call of every function, in vitest.
 * @param pairs number of drawn pairs of faults for an invocation, instead of single faults; 0 for single ones.
 * @returns the exit code: 1 when a test failed.
 */
export async function faults(pairs: number, seed: number): Promise<number> {
  const file = `test/faults/${pairs > 0 ? "fault-pairs" : "single-faults"}.test.ts`;
  const vitest = ["node_modules/vitest/vitest.mjs", "run", "--config", "test/vitest.config.ts", file];
  const env = { ...process.env, FAULT_PAIRS: String(pairs), FAULT_SEED: String(seed) };
  const child = spawn(process.execPath, vitest, { stdio: "inherit", env });
  const [code] = await once(child, "exit");
  return code === 0 ? 0 : 1;
}
