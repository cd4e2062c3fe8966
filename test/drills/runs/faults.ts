import { spawn } from "node:child_process";
import { once } from "node:events";

/** Injects every fault into every call of every function, in vitest. @returns the exit code: 1 when a test failed. */
export async function faults(): Promise<number> {
  const vitest = ["node_modules/vitest/vitest.mjs", "run", "--config", "test/vitest.config.ts", "test/faults"];
  const child = spawn(process.execPath, vitest, { stdio: "inherit" });
  const [code] = await once(child, "exit");
  return code === 0 ? 0 : 1;
}
