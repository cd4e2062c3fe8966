import { dirname, join } from "node:path";
import { bundleFunctions, FUNCTION_CACHE } from "../../lib/build/bundle.ts";
import { linkAssembly } from "../../lib/build/local-assembly.ts";
import { buildLocally } from "../../lib/build/local-build.ts";

/**
 * Bundles the functions as a deployment does.
 * @param directory an empty directory.
 * @returns the directory of a synthesized app whose functions are the deployed files.
 */
export async function assembleDeployedFiles(directory: string): Promise<string> {
  const { assemblyDirectory } = await buildLocally();
  await bundleFunctions(join(directory, "functions"), FUNCTION_CACHE);
  await linkAssembly(dirname(assemblyDirectory), directory);
  return join(directory, "assembly");
}
