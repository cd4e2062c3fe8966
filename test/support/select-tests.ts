import { execFileSync } from "node:child_process";
import { existsSync, globSync, readFileSync } from "node:fs";
import { readCapabilities } from "./capabilities.ts";
import { DEEP_TAG, FULL_TAG, SHARE_TAG, STORY_TAG } from "./depth.ts";
import { buildImportGraph, listImporters } from "./import-graph.ts";

/** Test folders that run on every machine without additional installs. */
export const quickFolders = [
  "test/unit",
  "test/conventions",
  "test/template",
  "test/contract",
  "test/local",
  "test/models",
  "test/examples",
  "test/upgrade",
  "test/linearizability",
];
/** Files that only `npm run test:deep` runs. */
const DEEP_SUFFIX = ".deep.test.ts";
/** Options that leave out what only `npm run test:deep` runs. */
export const quickOptions = [`--tags-filter=!${DEEP_TAG}`, "--exclude", `**/*${DEEP_SUFFIX}`];
/** Options that leave out what `npm test` runs in full, for `npm run test:full`, and for `npm run test:deep`. */
export const fullOptions = [`--tags-filter=${DEEP_TAG} || ${SHARE_TAG} || ${STORY_TAG} || ${FULL_TAG}`];
export const deepOptions = [`--tags-filter=(${DEEP_TAG} || ${SHARE_TAG} || ${STORY_TAG}) && !${FULL_TAG}`];

const DEPTH = "test/support/depth.ts";
const testFiles = () => quickFolders.flatMap((folder) => globSync(`${folder}/**/*.test.ts`));
const isQuick = (file: string) => !file.endsWith(DEEP_SUFFIX);

function readGraph() {
  const files = globSync("{bin,lib,functions,test}/**/*.ts");
  return buildImportGraph(new Map(files.map((file) => [file, readFileSync(file, "utf8")])));
}

/** Lists the files of `npm run test:deep`: those with deep tests, and the drills of which `npm test` runs a share. */
export function listDeepTests(): string[] {
  const tags = listFileTags();
  return testFiles().filter((file) => tags.has(file) || hasDeepTests(file));
}

/** The tag that the first line of a test file must give to all its tests, by file. */
export function listFileTags(): Map<string, string> {
  const shared = listImporters(readGraph(), new Set([DEPTH]));
  const tagOf = (file: string) => (isQuick(file) ? shared.includes(file) && SHARE_TAG : DEEP_TAG);
  return new Map(testFiles().flatMap((file) => (tagOf(file) ? [[file, String(tagOf(file))]] : [])));
}

const hasDeepTests = (file: string) => readFileSync(file, "utf8").includes(`tags: "${DEEP_TAG}"`);

/** Lists the changed files of the working tree, new ones included. */
export function listChangedFiles(): string[] {
  const git = (...options: readonly string[]) => execFileSync("git", options, { encoding: "utf8" }).split("\n");
  const changed = git("diff", "--name-only", "HEAD").concat(git("ls-files", "--others", "--exclude-standard"));
  return changed.filter((file) => existsSync(file));
}

/**
 * Lists the quick tests that a change most likely breaks: changed tests, tests that import a changed file or one of its
 * importers, the tests of its capability through the service, and the conventions.
 */
export function listChangedTests(changed: readonly string[]): string[] {
  const graph = readGraph();
  const near = new Set(changed);
  for (const importer of listImporters(graph, near)) near.add(importer);
  const tests = testFiles().filter(isQuick);
  const capabilities = readCapabilities();
  const folders = changed.flatMap((file) => listCapabilityFolders(file, capabilities));
  const importing = new Set([...near, ...listImporters(graph, near)]);
  return tests.filter(
    (file) =>
      near.has(file) ||
      file.startsWith("test/conventions/") ||
      folders.some((folder) => file.startsWith(folder)) ||
      (file.startsWith("test/unit/") && importing.has(file)),
  );
}

/** The test folders of the capability that a file belongs to. */
function listCapabilityFolders(file: string, capabilities: ReturnType<typeof readCapabilities>): string[] {
  const [top, layer = "", folder = ""] = file.split("/");
  const ofTag = [...capabilities].find(([, tags]) => tags.includes(layer))?.[0];
  const name = top === "functions" ? ofTag : capabilities.has(folder) ? folder : undefined;
  return name ? [`test/unit/${name}/`, `test/local/service/${name}/`] : [];
}
