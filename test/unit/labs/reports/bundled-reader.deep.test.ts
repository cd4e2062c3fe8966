// @module-tag deep
import { execFile } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { build } from "esbuild";
import { afterAll, expect, test } from "vitest";
import { moduleOptions } from "../../../../lib/build/module-options.ts";
import { bundleReportReader, reportReaderFiles } from "../../../../lib/build/report-reader.ts";
import { drawPage, sampleWords } from "./drawn-page.ts";

const directory = mkdtempSync(join(tmpdir(), "bundled-reader-"));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

test.each([
  ["in the entry point", {}],
  ["in a shared chunk", { splitting: true, chunkNames: "chunks/[hash]" }],
])("a bundled function with the reader %s reads a scan without node_modules", async (name, options) => {
  const place = join(directory, name.replaceAll(/\W/g, "-"));
  const script = join(import.meta.dirname, "read-in-child.ts");
  // A second entry point with the same import makes the bundler emit a shared chunk.
  const entryPoints = [
    { in: script, out: "index" },
    { in: "lib/labs/reports/reader/read-pages.ts", out: "other" },
  ];
  await build({ ...moduleOptions, ...options, entryPoints, outdir: place, outExtension: { ".js": ".mjs" } });
  await bundleReportReader(place);
  expect(readdirSync(place)).toEqual(expect.arrayContaining([...reportReaderFiles]));
  writeFileSync(join(place, "scan.png"), drawPage({ dpi: 150 }).toBuffer("image/png"));
  const child = await promisify(execFile)(process.execPath, ["index.mjs", "scan.png"], { cwd: place, env: {} });
  expect(JSON.parse(child.stdout).words).toEqual(sampleWords);
});
