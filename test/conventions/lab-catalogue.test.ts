import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { buildCatalogue } from "../../lib/terminal/catalogue/build-catalogue.ts";
import { CATALOGUE, CATALOGUE_PAGE, catalogueLists } from "../../lib/terminal/catalogue/catalogue-lists.ts";
import { cataloguePage } from "../../lib/terminal/catalogue/catalogue-page.ts";
import { catalogueText } from "../../lib/terminal/catalogue/pack-text.ts";

/** What `npm run catalogue` writes. */
test("the catalogue and its page are what the lists say", () => {
  const packed = buildCatalogue(catalogueLists());
  expect(readFileSync(CATALOGUE, "utf8")).toBe(catalogueText(packed));
  expect(readFileSync(CATALOGUE_PAGE, "utf8")).toBe(cataloguePage(packed));
});
