import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { build, type Metafile } from "esbuild";
import { moduleOptions, packageOptions } from "./module-options.ts";
import { FUNCTION_ENTRY, functionPartsPlugin, TEAM_CREDENTIALS_FILE } from "./plugins/function-parts.ts";
import { standardFontsPlugin } from "./plugins/standard-fonts.ts";

/** esbuild options of functions: data is a module of its own here, and Node refuses to import a module as JSON. */
const functionOptions = { ...moduleOptions, supported: { "import-attributes": false } };

/**
 * Bundles one function with a source map. The same sources give the same module, so the map also fits a deployed one.
 * @returns the source map as JSON.
 */
export async function mapFunctionFile(operationId: string): Promise<string> {
  const { outputFiles } = await build({
    ...functionOptions,
    plugins: [functionPartsPlugin(new Map()), ...moduleOptions.plugins],
    entryPoints: [{ in: FUNCTION_ENTRY + operationId, out: operationId }],
    outdir: "dist",
    sourcemap: "external",
    sourcesContent: false,
    write: false,
  });
  return outputFiles.find(({ path }) => path.endsWith(".map"))?.text ?? "";
}

/** The bundled file of one function. */
export interface FunctionFile {
  readonly operationId: string;
  /** Path of the module `<operationId>.mjs`. */
  readonly file: string;
  /** Modules of this project that the bundler read for it, also those that left nothing in it. */
  readonly sources: readonly string[];
  /** Names of the files that it loads when it first needs them. */
  readonly lazyFiles: readonly string[];
}

/**
 * Bundles functions, each into one file with everything that its first call needs, and what they load lazily into files
 * of their own.
 * @param directory output directory.
 */
export async function bundleFunctionFiles(
  directory: string,
  operationIds: readonly string[],
): Promise<readonly FunctionFile[]> {
  await mkdir(directory, { recursive: true });
  const lazy = new Map<string, string>();
  const entryPoints = operationIds.map((operationId) => ({ in: FUNCTION_ENTRY + operationId, out: operationId }));
  const plugins = [functionPartsPlugin(lazy), ...moduleOptions.plugins];
  const { metafile } = await build({ ...functionOptions, plugins, entryPoints, outdir: directory, metafile: true });
  await bundleLazyFiles(directory, lazy);
  return operationIds.map((operationId) => {
    const inputs = reachableInputs(FUNCTION_ENTRY + operationId, metafile);
    const lazyFiles = [...new Set(inputs.flatMap((input) => lazyImports(metafile.inputs[input], lazy)))].toSorted();
    const sources = inputs.filter((input) => /^(lib|functions|data)\//.test(input)).toSorted();
    return { operationId, file: join(directory, `${operationId}.mjs`), sources, lazyFiles };
  });
}

const lazyImports = (input: Metafile["inputs"][string] | undefined, lazy: ReadonlyMap<string, string>) =>
  (input?.imports ?? []).map(({ path }) => path.slice(2)).filter((name) => lazy.has(name));

/** All modules that an entry imports, directly or indirectly, including itself. */
function reachableInputs(entry: string, { inputs }: Metafile): string[] {
  const reached = new Set<string>();
  const visit = (input: string) => {
    if (reached.has(input)) return;
    reached.add(input);
    for (const { path, external } of inputs[input]?.imports ?? []) if (!external) visit(path);
  };
  visit(entry);
  return [...reached];
}

/** Bundles packages and data into files of their own. Packages keep the names of their functions, which some read. */
async function bundleLazyFiles(directory: string, lazy: ReadonlyMap<string, string>): Promise<void> {
  if (lazy.size === 0) return;
  const entryPoints = [...lazy].map(([name, file]) => ({ in: file, out: name.replace(/\.mjs$/, "") }));
  const plugins = [standardFontsPlugin];
  await build({ ...packageOptions, keepNames: true, plugins, entryPoints, outdir: directory });
}

/** Bundles the module that functions load in a deployment with team credentials. */
export async function bundleTeamCredentials(directory: string): Promise<void> {
  const entryPoints = ["lib/runtime/aws/team-credentials.ts"];
  await build({ ...functionOptions, entryPoints, outfile: join(directory, TEAM_CREDENTIALS_FILE) });
}
