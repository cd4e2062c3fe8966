import { findLab } from "../../domain/lab-tests/labs.ts";
import type { PackedOffer, PackedResult, PackedTest } from "../../domain/lab-tests/packed-catalogue.ts";
import { ListProblems, readTable } from "./csv-table.ts";
import { type CompendiumRow, compendiumColumns } from "./list-columns.ts";

/**
 * Reads the compendium of a lab, appends its tests to `tests`, and returns its offers.
 * @throws ListProblems with every invalid row.
 */
export function addCompendium(
  lab: string,
  text: string,
  results: readonly PackedResult[],
  tests: PackedTest[],
): PackedOffer[] {
  const name = `compendium of ${lab}`;
  if (!findLab(lab)) throw new ListProblems([`${name}: the lab does not exist`]);
  const rows = readTable(name, text, compendiumColumns);
  const lines = new Map<string, number>();
  const problems: string[] = [];
  for (const { line, value } of rows) {
    const earlier = lines.get(value.provider_id);
    if (earlier !== undefined) problems.push(`${name}, line ${line}, provider_id: duplicates line ${earlier}`);
    lines.set(value.provider_id, line);
    const unknown = value.loinc_codes.filter((code) => !results.some(({ loinc }) => loinc === code));
    problems.push(...unknown.map((code) => `${name}, line ${line}, loinc_codes: ${code} is unknown; ${LOINC_HINT}`));
  }
  if (problems.length > 0) throw new ListProblems(problems);
  return rows.map(({ value }) => {
    tests.push(toTest(lab, value, results));
    const { provider_id, price, common_tat_days, worst_case_tat_days, a_la_carte } = value;
    return {
      provider_id,
      test: tests.length - 1,
      price_cents: price,
      common_tat_days,
      worst_case_tat_days,
      a_la_carte,
    };
  });
}

const LOINC_HINT = "also pass the LOINC table (--loinc Loinc.csv)";

function toTest(lab: string, row: CompendiumRow, results: readonly PackedResult[]): PackedTest {
  const { name, section, sample, description, also, aoe, fasting, cpt_codes, type } = row;
  const places = row.loinc_codes.map((code) => results.findIndex(({ loinc }) => loinc === code));
  return {
    slug: toSlug(`${lab} ${row.provider_id} ${name}`),
    ...{ name, section, sample, description, also, cpt_codes },
    is_panel: type === "panel",
    is_fasting: fasting,
    questions: aoe,
    results: places,
    reflex: [],
  };
}

/** Converts a text to lower-case words joined by hyphens. */
export const toSlug = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-|-$/g, "");
