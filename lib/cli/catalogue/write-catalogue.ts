import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { PackedResult } from "../../domain/lab-tests/packed-catalogue.ts";
import { buildCatalogue, type CatalogueLists } from "./build-catalogue.ts";
import {
  CATALOGUE_FILE,
  CATALOGUE_PAGE_FILE,
  COMPENDIA_DIRECTORY,
  FURTHER_RESULTS_FILE,
  RESULTS_FILE,
  readCatalogueLists,
} from "./catalogue-lists.ts";
import { formatCataloguePage } from "./catalogue-page.ts";
import { formatCatalogue } from "./format-catalogue.ts";
import { findMissingResults, readLoincTable, withLoincNames } from "./loinc-table.ts";

/** What a build of the catalogue takes besides its lists, as paths of files. */
export interface CatalogueSources {
  readonly compendium?: string | undefined;
  readonly lab?: string | undefined;
  readonly loinc?: string | undefined;
}

const read = (file: string) => readFileSync(file, "utf8");

/** The lists with the offers of a lab replaced by its compendium. */
function withCompendium(lists: CatalogueLists, lab: string, text: string, loinc: string | undefined): CatalogueLists {
  const compendia = { ...lists.compendia, [lab]: text };
  if (loinc === undefined) return { ...lists, compendia };
  const known = new Set(buildCatalogue(lists).results.map((result) => result.loinc));
  const further: PackedResult[] = findMissingResults(text, known, readLoincTable(read(loinc)));
  return { ...lists, compendia, furtherResults: [...lists.furtherResults, ...further] };
}

/** Builds the catalogue before it writes any file, so that invalid lists change nothing. @returns its markers. */
function write(lists: CatalogueLists): number {
  const packed = buildCatalogue(lists);
  writeFileSync(RESULTS_FILE, lists.results);
  if (Object.keys(lists.compendia).length > 0) mkdirSync(COMPENDIA_DIRECTORY, { recursive: true });
  for (const [lab, text] of Object.entries(lists.compendia))
    writeFileSync(join(COMPENDIA_DIRECTORY, `${lab}.csv`), text);
  if (lists.furtherResults.length > 0)
    writeFileSync(FURTHER_RESULTS_FILE, `${JSON.stringify(lists.furtherResults, undefined, 1)}\n`);
  writeFileSync(CATALOGUE_FILE, formatCatalogue(packed));
  writeFileSync(CATALOGUE_PAGE_FILE, formatCataloguePage(packed));
  return Object.values(packed.offers).flat().length;
}

/**
 * Builds the catalogue and its page from the lists, after a lab's compendium or the names of a LOINC release replaced
 * theirs. @returns the number of markers. @throws ListProblems with the problems of the lists; then nothing changed.
 */
export function writeCatalogue({ compendium, lab, loinc }: CatalogueSources): number {
  const lists = readCatalogueLists();
  if (compendium !== undefined && lab !== undefined) return write(withCompendium(lists, lab, read(compendium), loinc));
  if (loinc === undefined) return write(lists);
  return write({ ...lists, results: withLoincNames(lists.results, readLoincTable(read(loinc))) });
}
