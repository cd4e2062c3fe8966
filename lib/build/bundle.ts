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

/** What functions share lives here, each piece once, named by its content. */
const SHARED = "shared";
/** Where what a grant gives is made, a file each; see lib/runtime/uses.ts. */
const USES = "lib/runtime/uses/";

/**
 * Bundles all functions in one esbuild run with shared chunks, and lays out one directory a function: links to its entry
 * and to just the chunks it reaches. Deploying follows the links (an unchanged function keeps its asset); locally the
 * links lead to the same files, so that functions in one process share their modules.
 * @param directory where to write; emptied first.
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

/** Puts files beside an entry, both when links are followed (deployed) and when Node resolves them (here). */
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

/** The files below lib/runtime/uses/ that a function may import while it runs: those it has a grant for or is wired to. */
function usesOf(contract: (typeof contracts)[number]): Set<string> {
  const grants = grantsOf(contract);
  const isFed = contract.kind === "consumer" && ["queue", "stream"].includes(contract.trigger.kind);
  const uses = [...grants.map(({ use }) => use), ...(isFed ? ["deadLetters"] : [])];
  return new Set(uses.map((use) => `${USES}${kebabCase(use)}.ts`));
}

/** The outputs that one output loads, itself included; of the uses only those it may. */
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
