import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type BuildOptions, build } from "esbuild";

/** Folder of the sources of the console. */
const SOURCES = "web/console";
/** Number of hexadecimal digits of a digest in the name of an asset. */
const DIGITS = 16;

/** The console in files: one page, and its assets by their names, which contain a digest of their content. */
export interface ConsoleFiles {
  readonly page: string;
  readonly assets: ReadonlyMap<string, string>;
}

/** Bundles for browsers: the page, its style sheet, and what loads on demand. Its packages keep no development checks. */
const options: BuildOptions = {
  entryPoints: [join(SOURCES, "console.tsx"), join(SOURCES, "console.css"), join(SOURCES, "parquet.ts")],
  outdir: "console",
  bundle: true,
  minify: true,
  format: "esm",
  target: "es2022",
  jsx: "automatic",
  jsxImportSource: "preact",
  define: { "process.env.NODE_ENV": '"production"' },
  legalComments: "none",
  write: false,
};

/** Bundles the console. @throws Error if a source does not compile. */
export async function bundleConsole(): Promise<ConsoleFiles> {
  const { outputFiles = [] } = await build(options);
  let page = await readFile(join(SOURCES, "console.html"), "utf8");
  const assets = new Map<string, string>();
  for (const { path, text } of outputFiles) {
    const [, name = "", extension = ""] = /(\w+)\.(\w+)$/.exec(path) ?? [];
    const digest = createHash("sha256").update(text).digest("hex").slice(0, DIGITS);
    const named = `${name}.${digest}.${extension}`;
    page = page.replace(`"/console/assets/${name}.${extension}"`, `"/console/assets/${named}"`);
    assets.set(named, text);
  }
  return { page, assets };
}
