import { spawn } from "node:child_process";
import { once } from "node:events";
import { COUNT_VARIABLE, SEED_VARIABLE } from "../../test/grants/drill-variables.ts";

/** Takes so many grants from functions; vitest tells who noticed. @returns the exit code: 1 when nobody noticed one. */
export async function grants(count: number, seed: number): Promise<number> {
  const vitest = ["node_modules/vitest/vitest.mjs", "run", "--config", "test/vitest.config.ts", "test/grants"];
  const env = { ...process.env, [COUNT_VARIABLE]: String(count), [SEED_VARIABLE]: String(seed) };
  const child = spawn(process.execPath, vitest, { stdio: "inherit", env });
  const [code] = await once(child, "exit");
  return code === 0 ? 0 : 1;
}
