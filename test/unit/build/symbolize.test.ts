import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { bundleFunctionFiles } from "../../../lib/build/function-files.ts";
import { symbolize } from "../../../lib/build/symbolize.ts";

/** A text of a source and its line. */
const TEXT = "request refused";
const SOURCE = "lib/runtime/errors.ts";

test("a place in a function's module becomes the place in its source", { tags: "deep", timeout: 300_000 }, async () => {
  const directory = mkdtempSync(join(tmpdir(), "symbolize-"));
  try {
    const [built] = await bundleFunctionFiles(directory, ["getUser"]);
    const lines = readFileSync(built?.file ?? "", "utf8").split("\n");
    const line = lines.findIndex((one) => one.includes(TEXT));
    const column = lines[line]?.indexOf(TEXT) ?? -1;
    const frame = `    at a (file:///var/task/index.mjs:${line + 1}:${column + 1})`;
    const sourceLine =
      readFileSync(SOURCE, "utf8")
        .split("\n")
        .findIndex((one) => one.includes(TEXT)) + 1;
    expect(await symbolize("getUser", frame)).toContain(`at a (${SOURCE}:${sourceLine}:`);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
});
