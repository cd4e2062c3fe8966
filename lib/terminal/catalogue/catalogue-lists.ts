import { existsSync, globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import type { CatalogueLists } from "./build-catalogue.ts";
import { furtherResults } from "./loinc-table.ts";

/** Paths of the lists of the lab catalogue and of the files that are built from them. */
const DATA = "data/lab-catalogue";
export const COMPENDIA = join(DATA, "compendia");
export const RESULTS = join(DATA, "results.csv");
export const FURTHER = join(COMPENDIA, "results.json");
export const CATALOGUE = join(DATA, "catalogue.json");
export const CATALOGUE_PAGE = "docs/catalogue.md";

const read = (file: string) => readFileSync(file, "utf8");

/** Reads the lists in data/lab-catalogue. */
export function catalogueLists(): CatalogueLists {
  const compendia = globSync(join(COMPENDIA, "*.csv")).sort();
  return {
    results: read(RESULTS),
    panels: read(join(DATA, "panels.csv")),
    offers: read(join(DATA, "offers.csv")),
    questions: read(join(DATA, "questions.csv")),
    compendia: Object.fromEntries(compendia.map((file) => [basename(file, ".csv"), read(file)])),
    furtherResults: existsSync(FURTHER) ? furtherResults.parse(JSON.parse(read(FURTHER))) : [],
  };
}
