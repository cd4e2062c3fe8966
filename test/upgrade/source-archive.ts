import { globSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { brotliCompressSync, brotliDecompressSync, constants } from "node:zlib";

/** What the build of functions reads: no templates, no local cloud, no commands. */
const SOURCES =
  "{bin/build-local.ts,lib/!(stacks|local|start|cli)/**,functions/**,data/**,web/**,package.json,tsconfig.json}";

/** Packs the sources of the functions of a checkout. */
export function packSources(directory: string, file: string): void {
  const names = globSync(SOURCES, { cwd: directory }).filter((name) => statSync(join(directory, name)).isFile());
  const files = names.toSorted().map((name) => [name, readFileSync(join(directory, name), "latin1")]);
  const params = { [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS };
  writeFileSync(file, brotliCompressSync(JSON.stringify(Object.fromEntries(files)), { params }));
}

/** Writes packed sources to a directory. */
export function unpackSources(file: string, directory: string): void {
  const files: Record<string, string> = JSON.parse(brotliDecompressSync(readFileSync(file)).toString("utf8"));
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(directory, name)), { recursive: true });
    writeFileSync(join(directory, name), content, "latin1");
  }
}
