import * as z from "zod";
import { failWithProblems } from "../fail-with-problems.ts";
import { UsageRefused } from "../frame/command-failed.ts";
import { declareCommand } from "../frame/declaration.ts";
import { option, path } from "../frame/values.ts";

export const catalogue = declareCommand({
  name: "catalogue",
  summary: "Builds the lab catalogue and docs/catalogue.md from the lists in data/lab-catalogue",
  description: ["The next deployment serves the new catalogue. Invalid lists change nothing."],
  options: {
    compendium: option("<list.csv>", "replace the offers of --lab by its compendium", path.optional()),
    lab: option("<slug>", "slug of the lab of --compendium", z.string().optional()),
    loinc: option(
      "<Loinc.csv>",
      "table of a LOINC release: results that the catalogue lacks, or, without --compendium, the long common names",
      path.optional(),
    ),
  },
  examples: [
    ["catalogue", "from the lists as they are"],
    ["catalogue --compendium offers.csv --lab my-lab --loinc Loinc.csv", "with the compendium of a lab"],
  ],
  json: "option",
  run: async (sources, session) => {
    if ((sources.compendium === undefined) !== (sources.lab === undefined))
      throw new UsageRefused("--compendium and --lab need each other");
    const { CATALOGUE_FILE } = await import("../catalogue/catalogue-lists.ts");
    const { ListProblems } = await import("../catalogue/csv-table.ts");
    const { writeCatalogue } = await import("../catalogue/write-catalogue.ts");
    try {
      const markers = writeCatalogue(sources);
      session.print(`Wrote ${markers} markers to ${CATALOGUE_FILE}.`);
      return { data: { file: CATALOGUE_FILE, markers } };
    } catch (error) {
      if (error instanceof ListProblems) return failWithProblems(error.problems, session);
      throw error;
    }
  },
});
