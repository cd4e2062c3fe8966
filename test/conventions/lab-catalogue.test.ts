import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { buildCatalogue } from "../../lib/terminal/catalogue/build-catalogue.ts";
import { CATALOGUE, CATALOGUE_PAGE, catalogueLists } from "../../lib/terminal/catalogue/catalogue-lists.ts";
import { cataloguePage } from "../../lib/terminal/catalogue/catalogue-page.ts";
import { catalogueText } from "../../lib/terminal/catalogue/pack-text.ts";

/** Compares with the output of `npm run catalogue`. */
test("the catalogue and its page match the lists", () => {
  const packed = buildCatalogue(catalogueLists());
  expect(readFileSync(CATALOGUE, "utf8")).toBe(catalogueText(packed));
  expect(readFileSync(CATALOGUE_PAGE, "utf8")).toBe(cataloguePage(packed));
});
