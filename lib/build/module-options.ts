import type { BuildOptions } from "esbuild";

/** Defines the CommonJS globals of bundled packages, in every output file. */
const commonJsNames =
  'import{createRequire as __require}from"node:module";const require=__require(import.meta.url),__dirname=import.meta.dirname;';

/** esbuild options of all deployed code: self-contained ES modules for Node 24. */
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
