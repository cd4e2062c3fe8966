import type { BuildOptions } from "esbuild";

/** What CommonJS modules of packages find around them, for every file of the bundle. */
const commonJsNames =
  'import{createRequire as __require}from"node:module";const require=__require(import.meta.url),__dirname=import.meta.dirname;';

/** How everything that is deployed is bundled: modules for Node 24 that bring what they import. */
export const moduleOptions = {
  bundle: true,
  minify: true,
  keepNames: true,
  format: "esm",
  platform: "node",
  target: "node24",
  banner: { js: commonJsNames },
  logLevel: "warning",
} as const satisfies BuildOptions;
