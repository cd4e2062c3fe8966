import { existsSync, globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import type { CatalogueLists } from "./build-catalogue.ts";
import { furtherResultsSchema } from "./loinc-table.ts";

/** Paths of the lists of the lab catalogue and of the files that are built from them. */
const DATA_DIRECTORY = "data/lab-catalogue";
export const COMPENDIA_DIRECTORY = join(DATA_DIRECTORY, "compendia");
export const RESULTS_FILE = join(DATA_DIRECTORY, "results.csv");
export const FURTHER_RESULTS_FILE = join(COMPENDIA_DIRECTORY, "results.json");
export const CATALOGUE_FILE = join(DATA_DIRECTORY, "catalogue.json");
export const CATALOGUE_PAGE_FILE = "docs/catalogue.md";

const read = (file: string) => readFileSync(file, "utf8");

/** Reads the lists in data/lab-catalogue. */
export function readCatalogueLists(): CatalogueLists {
  const compendia = globSync(join(COMPENDIA_DIRECTORY, "*.csv")).sort();
  return {
    results: read(RESULTS_FILE),
    panels: read(join(DATA_DIRECTORY, "panels.csv")),
    offers: read(join(DATA_DIRECTORY, "offers.csv")),
    questions: read(join(DATA_DIRECTORY, "questions.csv")),
    compendia: Object.fromEntries(compendia.map((file) => [basename(file, ".csv"), read(file)])),
    furtherResults: existsSync(FURTHER_RESULTS_FILE)
      ? furtherResultsSchema.parse(JSON.parse(read(FURTHER_RESULTS_FILE)))
      : [],
  };
}
