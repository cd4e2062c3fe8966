import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { UsageRefused } from "../frame/command-failed.ts";
import { declareCommand } from "../frame/declaration.ts";
import { argument, flag, path } from "../frame/values.ts";

export const openapi = declareCommand({
  name: "openapi",
  summary: "Prints the OpenAPI document, or writes it to a file",
  args: { file: argument("[file]", "file to write", path.optional()) },
  options: { examples: flag("record the examples of the document from a running service, in two to three minutes") },
  examples: [
    ["openapi > openapi.json", "the document"],
    ["openapi --examples", "writes data/openapi/examples.json"],
  ],
  run: async ({ file, examples }) => {
    if (examples && file !== undefined) throw new UsageRefused("--examples takes no file");
    if (examples) return { isOk: recordExamples() };
    const { createOpenApiDocument } = await import("../../openapi/document.ts");
    const document = `${JSON.stringify(createOpenApiDocument(), undefined, 2)}\n`;
    if (file === undefined) process.stdout.write(document);
    else writeFileSync(file, document);
    return undefined;
  },
});

/** Runs the story of the examples in vitest, which writes them. @returns whether it passed. */
function recordExamples(): boolean {
  const vitest = ["node_modules/vitest/vitest.mjs", "run", "--config", "test/vitest.config.ts", "test/examples"];
  const env = { ...process.env, WRITE_EXAMPLES: "1" };
  return spawnSync(process.execPath, vitest, { stdio: "inherit", env }).status === 0;
}
