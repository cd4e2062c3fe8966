import { copyFile, mkdir, rm, symlink, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { build, type Metafile } from "esbuild";
import { contracts } from "../../functions/index.ts";
import { effectiveGrants } from "../contract/access-log-mode.ts";
import { entryFile } from "../contract/entry-file.ts";
import { createOpenApiDocument } from "../openapi/document.ts";
import { linkPage, linkPageFiles } from "../services/connections/link/link-page.ts";
import { reviewFiles } from "../services/lab-reports/review-page.ts";
import { webhookPortalFiles } from "../services/webhooks/portal-files.ts";
import { DEAD_LETTERS, DEPENDENCY_TABLE, dependencyModules } from "./dependency-modules.ts";
import { moduleOptions } from "./module-options.ts";
import { bundleReportReader, reportReaderFiles } from "./report-reader.ts";
import { standardFontsPlugin } from "./standard-fonts.ts";

/** Directory of the shared chunks, which are named by content hash. */
const SHARED_DIRECTORY = "shared";

/**
 * Bundles all functions in one esbuild run with shared chunks. Each function gets a directory with links to its entry
 * and to the chunks that it reaches. A deployment follows the links, so an unchanged function keeps its asset hash.
 * Locally the links resolve to the same files, so functions in one process share their modules.
 * @param directory output directory; emptied first.
 */
export async function bundleFunctions(directory: string): Promise<void> {
  await rm(directory, { recursive: true, force: true });
  const shared = join(directory, SHARED_DIRECTORY);
  const result = await build({
    ...moduleOptions,
    entryPoints: contracts.map((contract) => ({ in: entryFile(contract), out: contract.operationId })),
    outdir: shared,
    outExtension: { ".js": ".mjs" },
    chunkNames: "chunks/[hash]",
    splitting: true,
    metafile: true,
    plugins: [standardFontsPlugin],
  });
  const modules = dependencyModules();
  for (const contract of contracts)
    await linkFunction(directory, contract, result.metafile, grantedModules(contract, modules));
  await writeFile(join(shared, "openapi.json"), JSON.stringify(createOpenApiDocument()));
  const pages = new Set([...webhookPortalFiles, linkPage, ...linkPageFiles, ...reviewFiles]);
  for (const file of pages) await copyFile(join("web", file), join(shared, file));
  await bundleReportReader(shared);
  for (const [operationId, files] of Object.entries(runtimeFiles)) await linkFiles(directory, operationId, files);
}

/** The files that functions read while they run. */
const runtimeFiles: Readonly<Record<string, readonly string[]>> = {
  getOpenApi: ["openapi.json"],
  getPortalFile: webhookPortalFiles,
  getLinkPage: [linkPage],
  getLinkFile: linkPageFiles,
  getReviewFile: reviewFiles,
  parseLabReport: reportReaderFiles,
};

/** Links files next to a function's entry, for deployments (links are followed) and for Node (links are resolved). */
async function linkFiles(directory: string, operationId: string, files: readonly string[]): Promise<void> {
  await mkdir(join(directory, operationId), { recursive: true });
  for (const file of files) await symlink(join("..", SHARED_DIRECTORY, file), join(directory, operationId, file));
}

async function linkFunction(
  directory: string,
  contract: (typeof contracts)[number],
  metafile: Metafile,
  granted: ReadonlySet<string>,
): Promise<void> {
  const shared = relative(process.cwd(), join(directory, SHARED_DIRECTORY));
  const entry = `${shared}/${contract.operationId}.mjs`;
  for (const output of findReachableOutputs(entry, metafile, granted)) {
    const name = output === entry ? "index.mjs" : relative(shared, output);
    const link = join(directory, contract.operationId, name);
    await mkdir(dirname(link), { recursive: true });
    await symlink(relative(dirname(link), output), link);
  }
}

/** The modules of dependencies that a function may import: those of its grants and of its trigger. */
function grantedModules(
  contract: (typeof contracts)[number],
  modules: ReturnType<typeof dependencyModules>,
): Set<string> {
  const isFed = contract.kind === "consumer" && ["queue", "stream"].includes(contract.trigger.kind);
  const names = effectiveGrants(contract).map(({ dependency }) => dependency);
  return new Set([...names, ...(isFed ? [DEAD_LETTERS] : [])].flatMap((name) => modules.get(name) ?? []));
}

/** The outputs that an entry loads, including itself, without the modules of dependencies that it has no grant for. */
function findReachableOutputs(entry: string, metafile: Metafile, granted: ReadonlySet<string>): Set<string> {
  const factories = metafile.inputs[DEPENDENCY_TABLE]?.imports ?? [];
  const guarded = new Set(factories.filter(({ kind }) => kind === "dynamic-import").map(({ path }) => path));
  const reached = new Set<string>();
  const visit = (output: string) => {
    const source = metafile.outputs[output]?.entryPoint ?? "";
    if (reached.has(output) || (guarded.has(source) && !granted.has(source))) return;
    reached.add(output);
    for (const { path, external } of metafile.outputs[output]?.imports ?? []) if (!external) visit(path);
  };
  visit(entry);
  return reached;
}
