import { dirname, join } from "node:path";
import { bundleFunctions, FUNCTION_CACHE } from "../../lib/build/bundle.ts";
import { linkAssembly } from "../../lib/build/local-assembly.ts";
import { buildLocally } from "../../lib/build/local-build.ts";

/**
 * Bundles the functions as a deployment does.
 * @param directory an empty directory.
 * @param settings context that a deployment has in cdk.json.
 * @returns the directory of a synthesized app whose functions are the deployed files.
 */
export async function assembleDeployedFiles(
  directory: string,
  settings: { readonly lake?: boolean; readonly teamCredentials?: boolean } = {},
): Promise<string> {
  const { assemblyDirectory } = await buildLocally(settings);
  await bundleFunctions(join(directory, "functions"), FUNCTION_CACHE, settings);
  await linkAssembly(dirname(assemblyDirectory), directory);
  return join(directory, "assembly");
}
