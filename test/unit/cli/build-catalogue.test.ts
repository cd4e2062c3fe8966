import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { buildCatalogue, type CatalogueLists } from "../../../lib/cli/catalogue/build-catalogue.ts";
import { ListProblems } from "../../../lib/cli/catalogue/csv-table.ts";
import { findMissingResults, readLoincTable, withLoincNames } from "../../../lib/cli/catalogue/loinc-table.ts";
import { Catalogue } from "../../../lib/domain/lab-tests/catalogue.ts";

const read = (name: string) => readFileSync(`data/lab-catalogue/${name}.csv`, "utf8");
const lists: CatalogueLists = {
  results: read("results"),
  panels: read("panels"),
  offers: read("offers"),
  questions: read("questions"),
  compendia: {},
  furtherResults: [],
};

/** The problems of the lists. */
function problemsOf(run: () => unknown): readonly string[] {
  try {
    run();
  } catch (error) {
    if (error instanceof ListProblems) return error.problems;
    throw error;
  }
  return [];
}
const problemsWith = (changed: Partial<CatalogueLists>) => problemsOf(() => buildCatalogue({ ...lists, ...changed }));

describe("the lists of the catalogue", () => {
  test("define panels and biomarkers of at least four labs, some of them with questions", () => {
    const { markers } = new Catalogue(buildCatalogue(lists));
    expect(markers.length).toBeGreaterThanOrEqual(250);
    expect(new Set(markers.map(({ lab }) => lab.id)).size).toBeGreaterThanOrEqual(4);
    expect(new Set(markers.map(({ wire }) => wire.id)).size).toBe(markers.length);
    expect(markers.every(({ wire }) => wire.id < 2 ** 31 && wire.expected_results.length > 0)).toBe(true);
    expect(markers.every(({ wire }) => wire.expected_results.every(({ id }) => id < 2 ** 31))).toBe(true);
    expect(markers.filter(({ wire }) => wire.aoe !== null).length).toBeGreaterThan(10);
    expect(markers.every(({ wire }) => (wire.common_tat_days ?? 0) <= (wire.worst_case_tat_days ?? 0))).toBe(true);
  });

  test.each([
    [{ results: lists.results.replace("2345-7", "2345-8") }, /results.csv, line 2, loinc: .*check digit/],
    [{ results: lists.results.replace("number,", "nummer,") }, /results.csv: the column number is missing/],
    [{ results: lists.results.replace(",7.00,", ",cheap,") }, /results.csv, line 2, price: Dollars/],
    [{ results: lists.results.replace("\n102,3094-0", "\n101,3094-0") }, /101 is duplicated/],
    [{ panels: lists.panels.replace("glucose urea", "glucosse urea") }, /refers to glucosse, which does not exist/],
    [{ panels: `${lists.panels}1,2\n` }, /panels.csv, line 48: has 2 values/],
    [{ offers: `${lists.offers}nowhere,1,100,0,*,\n` }, /offers.csv: the lab nowhere does not exist/],
    [
      { questions: lists.questions.replaceAll("specimen_source", "source") },
      /the question group specimen_source does not exist/,
    ],
  ])("report each problem with its line and column (%#)", (changed, problem) => {
    expect(problemsWith(changed)).toEqual(expect.arrayContaining([expect.stringMatching(problem)]));
  });
});

const HEAD = "provider_id,name,type,loinc_codes,price,common_tat_days,worst_case_tat_days";

describe("a lab's own compendium", () => {
  test("replaces the tests of its lab and of no other lab", () => {
    const text = `${HEAD},cpt_codes,also\nABC-1,"Our lipids, fasting",panel,2093-3 2571-8,9.50,1,2,80061,fats\n`;
    const catalogue = new Catalogue(buildCatalogue({ ...lists, compendia: { quest: text } }));
    const [marker, ...others] = catalogue.find({ labIds: new Set([4]) });
    expect(others).toEqual([]);
    expect(marker?.wire).toMatchObject({
      provider_id: "ABC-1",
      name: "Our lipids, fasting",
      type: "panel",
      price: "9.50",
    });
    expect(marker?.wire.expected_results.map(({ loinc }) => loinc.code)).toEqual(["2093-3", "2571-8"]);
    expect(catalogue.findById(marker?.wire.id ?? 0)).toBe(marker);
    expect(catalogue.find({ labIds: new Set([6]) }).length).toBeGreaterThan(100);
  });

  test.each([
    ["A,One,single,2093-3,9.50,1,2", "line 2, type"],
    ["A,One,panel,2093-4,9.50,1,2", "line 2, loinc_codes.0"],
    ["A,One,panel,,9.50,1,2", "line 2, loinc_codes"],
    ["A,One,panel,2093-3,9,1,2", "line 2, price"],
    ["A,One,panel,2093-3,9.50,1,61", "line 2, worst_case_tat_days"],
    ["A,One,panel,2093-3,9.50,1,2\nA,Two,panel,2571-8,9.50,1,2", "line 3, provider_id: duplicates line 2"],
    ["A,One,panel,11011-4,9.50,1,2", "11011-4 is unknown"],
  ])("with %s is rejected at %s", (rows, place) => {
    const problems = problemsWith({ compendia: { quest: `${HEAD}\n${rows}\n` } });
    expect(problems).toEqual([expect.stringContaining(place)]);
  });

  test("adds results from the LOINC table that the catalogue lacks", () => {
    const compendium = `${HEAD}\nA,Virus load,biomarker,11011-4,90.00,1,2\n`;
    const table = readLoincTable(
      'LOINC_NUM,LONG_COMMON_NAME,EXAMPLE_UCUM_UNITS,STATUS\n11011-4,"Virus, count",[IU]/mL;{copies}/mL,ACTIVE\n',
    );
    const furtherResults = findMissingResults(compendium, new Set(), table);
    const packed = buildCatalogue({ ...lists, compendia: { quest: compendium }, furtherResults });
    const [marker] = new Catalogue(packed).find({ labIds: new Set([4]) });
    expect(marker?.wire.expected_results[0]?.loinc).toMatchObject({
      code: "11011-4",
      name: "Virus, count",
      unit: "[IU]/mL",
    });
  });
});

describe("the table of a LOINC release", () => {
  const rows = buildCatalogue(lists).results.map(({ loinc, loinc_name }) => `${loinc},"${loinc_name}",ACTIVE`);
  const tableOf = (changed: readonly string[]) =>
    readLoincTable(`LOINC_NUM,LONG_COMMON_NAME,STATUS\n${changed.join("\n")}\n`);

  test("changes nothing when its names equal those of the list", () => {
    expect(withLoincNames(lists.results, tableOf(rows))).toBe(lists.results);
  });

  test("replaces the names of the list", () => {
    const renamed = rows.map((row) => row.replace("Glucose [Mass/volume] in Serum or Plasma", "Glucose, again"));
    const changed = withLoincNames(lists.results, tableOf(renamed));
    expect(changed).toBe(lists.results.replace("Glucose [Mass/volume] in Serum or Plasma", '"Glucose, again"'));
  });

  test("rejects unknown and discouraged codes", () => {
    const [first = "", second = "", ...others] = rows;
    const table = tableOf([second.replace("ACTIVE", "DEPRECATED"), ...others]);
    expect(first).toContain("2345-7");
    expect(problemsOf(() => withLoincNames(lists.results, table))).toEqual([
      "results.csv, line 2, loinc: 2345-7 is not in the LOINC table",
      "results.csv, line 3, loinc: 3094-0 is DEPRECATED in LOINC",
    ]);
  });
});
