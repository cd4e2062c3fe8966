import { pageHeaders } from "./page-headers.ts";

/** The page of the API reference. The build writes the names of its assets, with their digests, into it. */
export const REFERENCE_PAGE = "reference.html";
/** The renderer of the page, as the build compresses it with Brotli. */
export const REFERENCE_RENDERER = "reference-renderer.js";
/** The other assets of the page, below web/reference/. */
export const referenceAssets = ["reference.css", "reference.js"] as const;
type ReferenceAsset = typeof REFERENCE_RENDERER | (typeof referenceAssets)[number];

/** The stored file of an asset of the page. */
export const storedFile = (asset: ReferenceAsset) => (asset === REFERENCE_RENDERER ? `${asset}.br` : asset);

/** All files beside the function of the page. */
export const referenceFiles: readonly string[] = [
  REFERENCE_PAGE,
  ...[REFERENCE_RENDERER, ...referenceAssets].map((asset) => storedFile(asset as ReferenceAsset)),
];

/** Inserts the digest of its content into the name of an asset: `reference.js` becomes `reference.1a2b3c4d5e6f.js`. */
export const digestName = (asset: string, digest: string) => asset.replace(/(?=\.\w+$)/, `.${digest}`);

/**
 * Finds the asset that a name with a digest stands for.
 * @param page the built page, which names its assets.
 * @returns undefined if the page does not name it.
 */
export function findAsset(page: string, name: string): ReferenceAsset | undefined {
  if (!page.includes(`"docs/${name}"`)) return undefined;
  return [REFERENCE_RENDERER, ...referenceAssets].find(
    (asset) => digestName(asset, name.split(".")[1] ?? "") === name,
  ) as ReferenceAsset | undefined;
}

/** The renderer sets style attributes, draws icons as data URLs, and tests whether it may evaluate code. */
const sources = { images: "'self' data:", styles: "'self' 'unsafe-inline'", trustedTypes: false };
/** Names contain a digest, so their content never changes (RFC 8246). */
const IMMUTABLE = "public, max-age=31536000, immutable";

/** Response headers of the page. */
export const referencePageHeaders = () => ({ ...pageHeaders(REFERENCE_PAGE, sources), "x-robots-tag": "noindex" });

/** Response headers of an asset of the page. */
export const referenceAssetHeaders = (asset: ReferenceAsset) => ({
  ...pageHeaders(asset, sources),
  "cache-control": IMMUTABLE,
  "x-robots-tag": "noindex",
  vary: "accept-encoding",
});
