import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { buildCatalogue } from "../../lib/cli/catalogue/build-catalogue.ts";
import { CATALOGUE_FILE, CATALOGUE_PAGE_FILE, readCatalogueLists } from "../../lib/cli/catalogue/catalogue-lists.ts";
import { formatCataloguePage } from "../../lib/cli/catalogue/catalogue-page.ts";
import { formatCatalogue } from "../../lib/cli/catalogue/format-catalogue.ts";

/** Compares with the output of `npm run catalogue`. */
test("the catalogue and its page match the lists", () => {
  const packed = buildCatalogue(readCatalogueLists());
  expect(readFileSync(CATALOGUE_FILE, "utf8")).toBe(formatCatalogue(packed));
  expect(readFileSync(CATALOGUE_PAGE_FILE, "utf8")).toBe(formatCataloguePage(packed));
});
