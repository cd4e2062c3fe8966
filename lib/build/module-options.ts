import type { BuildOptions } from "esbuild";
import { exampleDataPlugin } from "./plugins/example-data.ts";
import { leanSdkPlugin } from "./plugins/lean-sdk.ts";
import { sourceModulesPlugin } from "./plugins/source-modules.ts";
import { standardFontsPlugin } from "./plugins/standard-fonts.ts";

/** Defines the CommonJS globals of bundled packages, in every output file. */
const commonJsNames =
  'import{createRequire as __require}from"node:module";const require=__require(import.meta.url),__dirname=import.meta.dirname;';

/** esbuild options of all deployed code: self-contained ES modules for Node 24. */
export const packageOptions = {
  bundle: true,
  minify: true,
  format: "esm",
  platform: "node",
  // ES modules of packages first: the bundler leaves out what nobody uses of them.
  mainFields: ["module", "main"],
  target: "node24",
  banner: { js: commonJsNames },
  outExtension: { ".js": ".mjs" },
  logLevel: "warning",
} satisfies BuildOptions;

/** esbuild options of the code of this project. */
export const moduleOptions = {
  ...packageOptions,
  plugins: [exampleDataPlugin, leanSdkPlugin, sourceModulesPlugin, standardFontsPlugin],
} satisfies BuildOptions;
