import { pageHeaders } from "./page-headers.ts";

/** The page of the console. The build writes the names of its assets, with their digests, into it. */
export const CONSOLE_PAGE = "console.html";
const consoleAssets = ["console.js", "console.css", "parquet.js"] as const;
type ConsoleAsset = (typeof consoleAssets)[number];

/** The stored file of an asset, compressed with Brotli. */
export const storedConsoleAsset = (asset: string) => `${asset}.br`;

/** All files beside the function of the page. */
export const consoleFiles: readonly string[] = [CONSOLE_PAGE, ...consoleAssets.map(storedConsoleAsset)];

/** Address of the folder of assets, relative to that of the console. */
const ASSETS = "assets/";

/** Returns the name of the asset that a place below the console names; undefined for a view of the page. */
export const assetNameOf = (place: string): string | undefined =>
  place.startsWith(ASSETS) ? place.slice(ASSETS.length) : undefined;

/**
 * Finds the asset that a name with a digest stands for.
 * @param page the built page, which names its assets.
 * @returns undefined if the page does not name it.
 */
export function findConsoleAsset(page: string, name: string): ConsoleAsset | undefined {
  if (!page.includes(`"/console/${ASSETS}${name}"`)) return undefined;
  return consoleAssets.find((asset) => asset === withoutDigest(name));
}

/** Removes the digest from the name of an asset: `console.1a2b3c4d.js` becomes `console.js`. */
export const withoutDigest = (name: string) => name.replace(/\.\w+(?=\.\w+$)/, "");

/** Icons are data URLs. The script loads pages of lab reports and shows them as blobs, beside what was read from them. */
const sources = { images: "'self' data: blob:", frames: "blob:" };

/** Response headers of the page. */
export const consolePageHeaders = () => ({ ...pageHeaders(CONSOLE_PAGE, sources), "x-robots-tag": "noindex" });

/** Response headers of an asset. Names contain a digest, so the content of a name never changes (RFC 8246). */
export const consoleAssetHeaders = (asset: ConsoleAsset) => ({
  ...pageHeaders(asset, sources),
  "cache-control": "public, max-age=31536000, immutable",
  "x-robots-tag": "noindex",
  vary: "accept-encoding",
});
