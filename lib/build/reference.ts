import { createHash } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import {
  digestName,
  REFERENCE_PAGE,
  REFERENCE_RENDERER,
  referenceAssets,
  storedFile,
} from "../runtime/http/reference-page.ts";
import { compressAsset } from "./compress-asset.ts";

/** Folder of the page and its own assets. */
const SOURCES = "web/reference";
/** Number of hexadecimal digits of a digest in the name of an asset. */
const DIGITS = 16;

/** Writes the page of the API reference with its assets. The page names each asset with a digest of its content. */
export async function writeReference(directory: string): Promise<void> {
  const renderer = Buffer.from(await readRenderer());
  const assets = new Map<string, Uint8Array>([[REFERENCE_RENDERER, renderer]]);
  for (const asset of referenceAssets) assets.set(asset, await readFile(join(SOURCES, asset)));
  let page = await readFile(join(SOURCES, REFERENCE_PAGE), "utf8");
  for (const [asset, content] of assets) {
    const digest = createHash("sha256").update(content).digest("hex").slice(0, DIGITS);
    page = page.replace(`"docs/${asset}"`, `"docs/${digestName(asset, digest)}"`);
  }
  await writeFile(join(directory, REFERENCE_PAGE), page);
  for (const asset of referenceAssets) await writeFile(join(directory, asset), assets.get(asset) ?? "");
  await writeFile(join(directory, storedFile(REFERENCE_RENDERER)), await compressAsset(renderer));
}

/** A route that the plugin registers, as far as the build uses it. */
interface PluginRoute {
  readonly url: string;
  readonly handler: (request: object, reply: object) => void;
}
type Plugin = (server: object, options: object, done: () => void) => void;

/**
 * Reads the browser build of Scalar. The plugin for Fastify is the one package that has it without the 280 packages from
 * which it was built; it gives the script to the route that it registers.
 * @throws Error if the plugin registers no script.
 */
async function readRenderer(): Promise<string> {
  const { default: plugin } = await import("@scalar/fastify-api-reference");
  const routes: PluginRoute[] = [];
  const server = { route: (route: PluginRoute) => routes.push(route) };
  (plugin as unknown as Plugin)(server, { configuration: { url: "/openapi.json" } }, () => undefined);
  const sent: string[] = [];
  const reply = { header: () => reply, send: (text: string) => sent.push(text) };
  routes.find(({ url }) => url.endsWith(".js"))?.handler({}, reply);
  const [script] = sent;
  if (script === undefined) throw new Error("@scalar/fastify-api-reference has no script for browsers");
  return script;
}
