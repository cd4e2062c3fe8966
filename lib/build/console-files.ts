import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { CONSOLE_PAGE, storedConsoleAsset, withoutDigest } from "../runtime/http/console-page.ts";
import { compressAsset } from "./compress-asset.ts";
import { bundleConsole } from "./console-page.ts";

/** Writes the page of the console with its assets. The page names each asset with a digest of its content. */
export async function writeConsole(directory: string): Promise<void> {
  const { page, assets } = await bundleConsole();
  await writeFile(join(directory, CONSOLE_PAGE), page);
  for (const [name, text] of assets) {
    const file = join(directory, storedConsoleAsset(withoutDigest(name)));
    await writeFile(file, await compressAsset(Buffer.from(text)));
  }
}
