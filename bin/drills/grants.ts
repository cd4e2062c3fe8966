import { spawn } from "node:child_process";
import { once } from "node:events";
import { COUNT_VARIABLE, SEED_VARIABLE } from "../../test/grants/drill-variables.ts";

/** Removes `count` grants from functions, in vitest. @returns the exit code: 1 when a removal had no effect. */
export async function grants(count: number, seed: number): Promise<number> {
  const vitest = ["node_modules/vitest/vitest.mjs", "run", "--config", "test/vitest.config.ts", "test/grants"];
  const env = { ...process.env, [COUNT_VARIABLE]: String(count), [SEED_VARIABLE]: String(seed) };
  const child = spawn(process.execPath, vitest, { stdio: "inherit", env });
  const [code] = await once(child, "exit");
  return code === 0 ? 0 : 1;
}
