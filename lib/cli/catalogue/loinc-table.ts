import * as z from "zod";
import type { PackedResult } from "../../domain/lab-tests/packed-catalogue.ts";
import { toSlug } from "./add-compendium.ts";
import { formatCsvLine, ListProblems, readTable } from "./csv-table.ts";
import { compendiumColumns, loincCode, resultColumns } from "./list-columns.ts";

/** The used columns of the LOINC table (Loinc.csv of a release). */
const loincColumns = z.object({
  LOINC_NUM: z.string(),
  LONG_COMMON_NAME: z.string().default(""),
  EXAMPLE_UCUM_UNITS: z.string().nullable().default(null),
  STATUS: z.string().default("ACTIVE"),
});
type LoincRow = z.output<typeof loincColumns>;
export type LoincTable = ReadonlyMap<string, LoincRow>;

/** Parses the table of a LOINC release. @throws ListProblems for an invalid table. */
export function readLoincTable(text: string): LoincTable {
  return new Map(readTable("LOINC table", text, loincColumns).map(({ value }) => [value.LOINC_NUM, value]));
}

/**
 * Updates the list of results with the long common names of a LOINC release.
 * @throws ListProblems for a code that is missing in the release or not active.
 */
export function withLoincNames(resultsText: string, table: LoincTable): string {
  const rows = readTable("results.csv", resultsText, resultColumns);
  const problems = rows.flatMap(({ line, value: { loinc } }) => {
    const found = table.get(loinc);
    if (!found) return [`results.csv, line ${line}, loinc: ${loinc} is not in the LOINC table`];
    return found.STATUS === "ACTIVE" ? [] : [`results.csv, line ${line}, loinc: ${loinc} is ${found.STATUS} in LOINC`];
  });
  if (problems.length > 0) throw new ListProblems(problems);
  const columns = Object.keys(resultColumns.shape);
  const names = new Map(rows.map(({ line, value }) => [line, table.get(value.loinc)?.LONG_COMMON_NAME ?? ""]));
  const raw = readTable("results.csv", resultsText, z.object(Object.fromEntries(columns.map((name) => [name, text]))));
  const lines = raw.map(({ line, value }) =>
    formatCsvLine(columns.map((name) => (name === "loinc_name" ? (names.get(line) ?? "") : String(value[name] ?? "")))),
  );
  return `${[columns.join(","), ...lines].join("\n")}\n`;
}

const text = z.string().default("");

/** Creates the results of a compendium that the catalogue does not have, from the LOINC table. */
export function findMissingResults(compendium: string, known: ReadonlySet<string>, table: LoincTable): PackedResult[] {
  const rows = readTable("compendium", compendium, compendiumColumns.pick({ loinc_codes: true }));
  const codes = new Set(rows.flatMap(({ value }) => value.loinc_codes));
  return [...codes].flatMap((loinc) => {
    const found = table.get(loinc);
    if (known.has(loinc) || !found) return [];
    const name = found.LONG_COMMON_NAME;
    const unit = found.EXAMPLE_UCUM_UNITS?.split(";")[0] ?? null;
    return { loinc, slug: toSlug(`${name} ${loinc}`), name, unit, loinc_name: name };
  });
}

/** Schema of data/lab-catalogue/compendia/results.json. */
export const furtherResultsSchema = z.array(
  z.object({
    loinc: loincCode,
    slug: z.string(),
    name: z.string(),
    unit: z.string().nullable(),
    loinc_name: z.string(),
  }),
);
