import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { createOpenApiDocument } from "../lib/openapi/document.ts";

/** Writes the OpenAPI document to a path, else to the standard output. With `--examples`, records its examples anew. */
const [argument] = process.argv.slice(2);

if (argument === "--examples") {
  const vitest = ["node_modules/vitest/vitest.mjs", "run", "--config", "test/vitest.config.ts", "test/examples"];
  const env = { ...process.env, WRITE_EXAMPLES: "1" };
  process.exitCode = spawnSync(process.execPath, vitest, { stdio: "inherit", env }).status ?? 1;
} else {
  const text = `${JSON.stringify(createOpenApiDocument(), undefined, 2)}\n`;
  if (argument === undefined) process.stdout.write(text);
  else writeFileSync(argument, text);
}
