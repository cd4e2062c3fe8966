import { readFile } from "node:fs/promises";
import type { Plugin } from "esbuild";

/** The call by which pdfkit loads its font metrics. esbuild does not recognise it as an import. */
const FONT_REQUIRE = "require$1('#standard-fonts/";

/** Bundles the font metrics of pdfkit, which pdfkit would otherwise load from its package at run time. */
export const standardFontsPlugin: Plugin = {
  name: "standard-fonts",
  setup({ onLoad }) {
    onLoad({ filter: /pdfkit\.node\.mjs$/ }, async ({ path }) => {
      const text = await readFile(path, "utf8");
      if (!text.includes(FONT_REQUIRE)) throw new Error(`${path} no longer loads its fonts as expected`);
      return { contents: text.replaceAll(FONT_REQUIRE, "require('pdfkit/standard-fonts/"), loader: "js" };
    });
  },
};
