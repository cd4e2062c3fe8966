import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { buildCatalogue, type CatalogueLists } from "../lib/cli/catalogue/build-catalogue.ts";
import {
  CATALOGUE_FILE,
  CATALOGUE_PAGE_FILE,
  COMPENDIA_DIRECTORY,
  FURTHER_RESULTS_FILE,
  RESULTS_FILE,
  readCatalogueLists,
} from "../lib/cli/catalogue/catalogue-lists.ts";
import { formatCataloguePage } from "../lib/cli/catalogue/catalogue-page.ts";
import { ListProblems } from "../lib/cli/catalogue/csv-table.ts";
import { formatCatalogue } from "../lib/cli/catalogue/format-catalogue.ts";
import { findMissingResults, readLoincTable, withLoincNames } from "../lib/cli/catalogue/loinc-table.ts";
import type { PackedResult } from "../lib/domain/lab-tests/packed-catalogue.ts";

const USAGE = `Usage: npm run catalogue
       npm run catalogue -- --compendium <list.csv> --lab <slug> [--loinc <Loinc.csv>]
       npm run catalogue -- --loinc <Loinc.csv>

Builds data/lab-catalogue/catalogue.json and docs/catalogue.md from the lists in data/lab-catalogue. The next deployment
serves the new catalogue.

--compendium  replaces the offers of a lab by its compendium; results that the catalogue lacks come from --loinc
--lab         slug of the lab
--loinc       the table of a LOINC release; without --compendium, updates the long common names in results.csv`;

const MAX_SHOWN_PROBLEMS = 50;

const read = (file: string) => readFileSync(file, "utf8");

/** The lists with the offers of a lab replaced by its compendium. */
function withCompendium(lists: CatalogueLists, lab: string, text: string, loinc: string | undefined): CatalogueLists {
  const compendia = { ...lists.compendia, [lab]: text };
  if (loinc === undefined) return { ...lists, compendia };
  const known = new Set(buildCatalogue(lists).results.map((result) => result.loinc));
  const further: PackedResult[] = findMissingResults(text, known, readLoincTable(read(loinc)));
  return { ...lists, compendia, furtherResults: [...lists.furtherResults, ...further] };
}

/** Builds the catalogue before it writes any file, so that invalid lists change nothing. */
function write(lists: CatalogueLists): void {
  const packed = buildCatalogue(lists);
  writeFileSync(RESULTS_FILE, lists.results);
  if (Object.keys(lists.compendia).length > 0) mkdirSync(COMPENDIA_DIRECTORY, { recursive: true });
  for (const [lab, text] of Object.entries(lists.compendia))
    writeFileSync(join(COMPENDIA_DIRECTORY, `${lab}.csv`), text);
  if (lists.furtherResults.length > 0)
    writeFileSync(FURTHER_RESULTS_FILE, `${JSON.stringify(lists.furtherResults, undefined, 1)}\n`);
  writeFileSync(CATALOGUE_FILE, formatCatalogue(packed));
  writeFileSync(CATALOGUE_PAGE_FILE, formatCataloguePage(packed));
  const markers = Object.values(packed.offers).flat().length;
  console.log(`Wrote ${markers} markers to ${CATALOGUE_FILE}.`);
}

function main(): void {
  const text = { type: "string" } as const;
  const options = { compendium: text, lab: text, loinc: text, help: { type: "boolean", short: "h" } } as const;
  const { values } = parseArgs({ options });
  const { compendium, lab, loinc } = values;
  if (values.help || (compendium === undefined) !== (lab === undefined)) {
    console.log(USAGE);
    process.exitCode = values.help ? 0 : 1;
    return;
  }
  const lists = readCatalogueLists();
  if (compendium !== undefined && lab !== undefined) write(withCompendium(lists, lab, read(compendium), loinc));
  else if (loinc !== undefined)
    write({ ...lists, results: withLoincNames(lists.results, readLoincTable(read(loinc))) });
  else write(lists);
}

try {
  main();
} catch (error) {
  if (!(error instanceof ListProblems)) throw error;
  console.error(error.problems.slice(0, MAX_SHOWN_PROBLEMS).join("\n"));
  if (error.problems.length > MAX_SHOWN_PROBLEMS)
    console.error(`... and ${error.problems.length - MAX_SHOWN_PROBLEMS} more.`);
  console.error(`Nothing was changed: ${error.problems.length} problems.`);
  process.exitCode = 1;
}
