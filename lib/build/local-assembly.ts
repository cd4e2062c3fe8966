import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import * as z from "zod";
import { contracts } from "../../functions/index.ts";
import { SHARED_DIRECTORY, writeLocalFunction } from "./bundle-local.ts";
import { digestSources } from "./digest.ts";
import { linkFile } from "./link-file.ts";
import { readPointer, writePointer } from "./pointer.ts";
import { OPENAPI_FILE, writePages } from "./runtime-files.ts";

/** Sources of the templates. What else they depend on is in the contracts of functions. */
const TEMPLATE_SOURCES = [
  "lib/{stacks,contract,domain,events}/**/*.ts",
  "lib/build/{local-assembly,synthesize-local,bundle-local}.ts",
  "package-lock.json",
  "cdk.json",
];

/**
 * Prepares the synthesized app of a build: the directories of functions, the files that functions read, and templates
 * that refer to both. Synthesizes only if a contract, a stack or a setting changed; otherwise it takes the templates of
 * an earlier build.
 * @param directory directory of the build.
 * @param settings additional CDK context.
 */
export async function prepareLocalAssembly(
  directory: string,
  settings: Readonly<Record<string, unknown>>,
): Promise<void> {
  const functions = join(directory, "functions");
  for (const { operationId } of contracts) await writeLocalFunction(functions, operationId);
  const shared = join(functions, SHARED_DIRECTORY);
  // Modules of an earlier build come with the files that they read.
  if (!existsSync(join(shared, OPENAPI_FILE))) await writePages(shared);
  const name = `${digestSources(TEMPLATE_SOURCES, JSON.stringify(settings), describeContracts())}.assembly`;
  const cache = dirname(directory);
  const earlier = readPointer(cache, name);
  if (earlier !== undefined && existsSync(join(earlier, "assembly/manifest.json"))) {
    await linkAssembly(earlier, directory);
    return;
  }
  const { synthesizeLocally } = await import("./synthesize-local.ts");
  synthesizeLocally(directory, settings);
  writePointer(cache, name, directory);
}

/** What templates can depend on in a contract: its values, without schemas and error classes. */
const describeContracts = () =>
  JSON.stringify(contracts, (_, value) => {
    if (value instanceof z.ZodType || typeof value === "function") return undefined;
    return value instanceof RegExp ? value.source : value;
  });

/**
 * Links the templates of another build, and points its asset manifests to the functions of this one.
 * @param from directory of the other build.
 */
export async function linkAssembly(from: string, to: string): Promise<void> {
  await mkdir(join(to, "assembly"), { recursive: true });
  for (const file of await readdir(join(from, "assembly"))) {
    const [source, target] = [join(from, "assembly", file), join(to, "assembly", file)];
    if (!file.endsWith(".assets.json")) await linkFile(source, target);
    else await writeFile(target, (await readFile(source, "utf8")).replaceAll(`${from}/functions/`, `${to}/functions/`));
  }
}
