import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { PackedResult } from "../lib/domain/lab-tests/packed-catalogue.ts";
import { buildCatalogue, type CatalogueLists } from "../lib/terminal/catalogue/build-catalogue.ts";
import {
  CATALOGUE,
  CATALOGUE_PAGE,
  COMPENDIA,
  catalogueLists,
  FURTHER,
  RESULTS,
} from "../lib/terminal/catalogue/catalogue-lists.ts";
import { cataloguePage } from "../lib/terminal/catalogue/catalogue-page.ts";
import { ListProblems } from "../lib/terminal/catalogue/csv-table.ts";
import { loadedResults, readLoincTable, withLoincNames } from "../lib/terminal/catalogue/loinc-table.ts";
import { catalogueText } from "../lib/terminal/catalogue/pack-text.ts";

const USAGE = `Usage: npm run catalogue
       npm run catalogue -- --compendium <list.csv> --lab <slug> [--loinc <Loinc.csv>]
       npm run catalogue -- --loinc <Loinc.csv>

Builds data/lab-catalogue/catalogue.json and docs/catalogue.md from the lists in data/lab-catalogue. The next deployment
serves the new catalogue.

--compendium  replaces the offers of a lab by its compendium; results that the catalogue lacks come from --loinc
--lab         slug of the lab
--loinc       the table of a LOINC release; without --compendium, updates the long common names in results.csv`;

const MOST_SHOWN = 50;

const read = (file: string) => readFileSync(file, "utf8");

/** The lists with the offers of a lab replaced by its compendium. */
function withCompendium(lists: CatalogueLists, lab: string, text: string, loinc: string | undefined): CatalogueLists {
  const compendia = { ...lists.compendia, [lab]: text };
  if (loinc === undefined) return { ...lists, compendia };
  const known = new Set(buildCatalogue(lists).results.map((result) => result.loinc));
  const further: PackedResult[] = loadedResults(text, known, readLoincTable(read(loinc)));
  return { ...lists, compendia, furtherResults: [...lists.furtherResults, ...further] };
}

/** Builds the catalogue before it writes any file, so that invalid lists change nothing. */
function write(lists: CatalogueLists): void {
  const packed = buildCatalogue(lists);
  writeFileSync(RESULTS, lists.results);
  if (Object.keys(lists.compendia).length > 0) mkdirSync(COMPENDIA, { recursive: true });
  for (const [lab, text] of Object.entries(lists.compendia)) writeFileSync(join(COMPENDIA, `${lab}.csv`), text);
  if (lists.furtherResults.length > 0)
    writeFileSync(FURTHER, `${JSON.stringify(lists.furtherResults, undefined, 1)}\n`);
  writeFileSync(CATALOGUE, catalogueText(packed));
  writeFileSync(CATALOGUE_PAGE, cataloguePage(packed));
  const markers = Object.values(packed.offers).flat().length;
  console.log(`Wrote ${markers} markers to ${CATALOGUE}.`);
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
  const lists = catalogueLists();
  if (compendium !== undefined && lab !== undefined) write(withCompendium(lists, lab, read(compendium), loinc));
  else if (loinc !== undefined)
    write({ ...lists, results: withLoincNames(lists.results, readLoincTable(read(loinc))) });
  else write(lists);
}

try {
  main();
} catch (error) {
  if (!(error instanceof ListProblems)) throw error;
  console.error(error.problems.slice(0, MOST_SHOWN).join("\n"));
  if (error.problems.length > MOST_SHOWN) console.error(`... and ${error.problems.length - MOST_SHOWN} more.`);
  console.error(`Nothing was changed: ${error.problems.length} problems.`);
  process.exitCode = 1;
}
