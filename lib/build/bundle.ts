import { copyFile, mkdir, rm, symlink, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { build, type Metafile } from "esbuild";
import { contracts } from "../../functions/index.ts";
import { entryFile, kebabCase } from "../contract/entry.ts";
import { grantsOf } from "../contract/noted-calls.ts";
import { openApiDocument } from "../openapi/document.ts";
import { reviewFiles } from "../runtime/lab-reports/review-page.ts";
import { linkPage, linkPageFiles } from "../runtime/linking/link-page.ts";
import { portalFiles } from "../runtime/portal-page.ts";
import { moduleOptions } from "./module-options.ts";
import { bundleReportReader, reportReaderFiles } from "./report-reader.ts";
import { standardFonts } from "./standard-fonts.ts";

/** Directory of the shared chunks, which are named by content hash. */
const SHARED = "shared";
/** Directory with one module per grant; see lib/runtime/uses.ts. */
const USES = "lib/runtime/uses/";

/**
 * Bundles all functions in one esbuild run with shared chunks. Each function gets a directory with links to its entry
 * and to the chunks that it reaches. A deployment follows the links, so an unchanged function keeps its asset hash.
 * Locally the links resolve to the same files, so functions in one process share their modules.
 * @param directory output directory; emptied first.
 */
export async function bundle(directory: string): Promise<void> {
  await rm(directory, { recursive: true, force: true });
  const shared = join(directory, SHARED);
  const result = await build({
    ...moduleOptions,
    entryPoints: contracts.map((contract) => ({ in: entryFile(contract), out: contract.operationId })),
    outdir: shared,
    outExtension: { ".js": ".mjs" },
    chunkNames: "chunks/[hash]",
    splitting: true,
    metafile: true,
    plugins: [standardFonts],
  });
  for (const contract of contracts) await layOut(directory, contract, result.metafile);
  await writeFile(join(shared, "openapi.json"), JSON.stringify(openApiDocument()));
  const pages = new Set([...portalFiles, linkPage, ...linkPageFiles, ...reviewFiles]);
  for (const file of pages) await copyFile(join("web", file), join(shared, file));
  await bundleReportReader(shared);
  for (const [operationId, files] of Object.entries(readFiles)) await linkFiles(directory, operationId, files);
}

/** The files that functions read while they run. */
const readFiles: Readonly<Record<string, readonly string[]>> = {
  getOpenApi: ["openapi.json"],
  getPortalFile: portalFiles,
  getLinkPage: [linkPage],
  getLinkFile: linkPageFiles,
  getReviewFile: reviewFiles,
  parseLabReport: reportReaderFiles,
};

/** Links files next to a function's entry, for deployments (links are followed) and for Node (links are resolved). */
async function linkFiles(directory: string, operationId: string, files: readonly string[]): Promise<void> {
  await mkdir(join(directory, operationId), { recursive: true });
  for (const file of files) await symlink(join("..", SHARED, file), join(directory, operationId, file));
}

async function layOut(directory: string, contract: (typeof contracts)[number], metafile: Metafile): Promise<void> {
  const shared = relative(process.cwd(), join(directory, SHARED));
  const entry = `${shared}/${contract.operationId}.mjs`;
  for (const output of reachedFrom(entry, metafile, usesOf(contract))) {
    const name = output === entry ? "index.mjs" : relative(shared, output);
    const link = join(directory, contract.operationId, name);
    await mkdir(dirname(link), { recursive: true });
    await symlink(relative(dirname(link), output), link);
  }
}

/** The modules below lib/runtime/uses/ that a function may import: those of its grants and of its trigger. */
function usesOf(contract: (typeof contracts)[number]): Set<string> {
  const grants = grantsOf(contract);
  const isFed = contract.kind === "consumer" && ["queue", "stream"].includes(contract.trigger.kind);
  const uses = [...grants.map(({ use }) => use), ...(isFed ? ["deadLetters"] : [])];
  return new Set(uses.map((use) => `${USES}${kebabCase(use)}.ts`));
}

/** The outputs that an entry loads, including itself, without the modules of grants that it does not have. */
function reachedFrom(entry: string, metafile: Metafile, uses: ReadonlySet<string>): Set<string> {
  const reached = new Set<string>();
  const visit = (output: string) => {
    const source = metafile.outputs[output]?.entryPoint ?? "";
    if (reached.has(output) || (source.startsWith(USES) && !uses.has(source))) return;
    reached.add(output);
    for (const { path, external } of metafile.outputs[output]?.imports ?? []) if (!external) visit(path);
  };
  visit(entry);
  return reached;
}
