import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { createAsyncApiDocument } from "../lib/openapi/asyncapi-document.ts";
import { createOpenApiDocument } from "../lib/openapi/document.ts";

/**
 * Writes the OpenAPI document to a path, else to the standard output; with `--events`, the AsyncAPI document. With
 * `--examples`, records the examples anew.
 */
const [argument, ...others] = process.argv.slice(2);

function write(document: object, path: string | undefined): void {
  const text = `${JSON.stringify(document, undefined, 2)}\n`;
  if (path === undefined) process.stdout.write(text);
  else writeFileSync(path, text);
}

if (argument === "--examples") {
  const vitest = ["node_modules/vitest/vitest.mjs", "run", "--config", "test/vitest.config.ts", "test/examples"];
  const env = { ...process.env, WRITE_EXAMPLES: "1" };
  process.exitCode = spawnSync(process.execPath, vitest, { stdio: "inherit", env }).status ?? 1;
} else if (argument === "--events") write(createAsyncApiDocument(), others[0]);
else write(createOpenApiDocument(), argument);
