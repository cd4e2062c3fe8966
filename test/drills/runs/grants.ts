import { spawn } from "node:child_process";
import { once } from "node:events";
import { GRANT_COUNT_VARIABLE, GRANT_SEED_VARIABLE } from "../../grants/drill-variables.ts";

/** Removes `count` grants from functions, in vitest. @returns the exit code: 1 when a removal had no effect. */
export async function grants(count: number, seed: number): Promise<number> {
  const vitest = ["node_modules/vitest/vitest.mjs", "run", "--config", "test/vitest.config.ts", "test/grants"];
  const env = { ...process.env, [GRANT_COUNT_VARIABLE]: String(count), [GRANT_SEED_VARIABLE]: String(seed) };
  const child = spawn(process.execPath, vitest, { stdio: "inherit", env });
  const [code] = await once(child, "exit");
  return code === 0 ? 0 : 1;
}
