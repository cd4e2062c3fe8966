import { readFile } from "node:fs/promises";
import type { Plugin } from "esbuild";

/** How pdfkit loads the metrics of its fonts: by a require of its own, which a bundler does not see. */
const LOADED = "require$1('#standard-fonts/";

/** Has the font metrics of pdfkit bundled, which it would else look for beside itself at run time. */
export const standardFonts: Plugin = {
  name: "standard-fonts",
  setup({ onLoad }) {
    onLoad({ filter: /pdfkit\.node\.mjs$/ }, async ({ path }) => {
      const text = await readFile(path, "utf8");
      if (!text.includes(LOADED)) throw new Error(`${path} no longer loads its fonts as expected`);
      return { contents: text.replaceAll(LOADED, "require('pdfkit/standard-fonts/"), loader: "js" };
    });
  },
};
