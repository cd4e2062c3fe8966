import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { UsageRefused } from "../frame/command-failed.ts";
import { declareCommand } from "../frame/declaration.ts";
import { argument, flag, path } from "../frame/values.ts";

export const openapi = declareCommand({
  name: "openapi",
  summary: "Prints the OpenAPI or AsyncAPI document, or writes it to a file",
  args: { file: argument("[file]", "file to write", path.optional()) },
  options: {
    events: flag("the AsyncAPI document of all events in place of the OpenAPI document"),
    examples: flag("record the examples of the document from a running service, in two to three minutes"),
  },
  examples: [
    ["openapi > openapi.json", "the document"],
    ["openapi --events asyncapi.json", "the document of all events"],
    ["openapi --examples", "writes data/openapi/examples.json"],
  ],
  run: async ({ file, events, examples }) => {
    if (examples && (events || file !== undefined)) throw new UsageRefused("--examples takes no file and no --events");
    if (examples) return { isOk: recordExamples() };
    const text = `${JSON.stringify(events ? await readEvents() : await readOperations(), undefined, 2)}\n`;
    if (file === undefined) process.stdout.write(text);
    else writeFileSync(file, text);
    return undefined;
  },
});

async function readOperations(): Promise<object> {
  const { createOpenApiDocument } = await import("../../openapi/document.ts");
  return createOpenApiDocument();
}

async function readEvents(): Promise<object> {
  const { createAsyncApiDocument } = await import("../../openapi/asyncapi-document.ts");
  return createAsyncApiDocument();
}

/** Runs the story of the examples in vitest, which writes them. @returns whether it passed. */
function recordExamples(): boolean {
  const vitest = ["node_modules/vitest/vitest.mjs", "run", "--config", "test/vitest.config.ts", "test/examples"];
  const env = { ...process.env, WRITE_EXAMPLES: "1" };
  return spawnSync(process.execPath, vitest, { stdio: "inherit", env }).status === 0;
}
