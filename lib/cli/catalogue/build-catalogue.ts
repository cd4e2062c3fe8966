import { findLab } from "../../domain/lab-tests/labs.ts";
import type {
  PackedCatalogue,
  PackedOffer,
  PackedResult,
  PackedTest,
} from "../../domain/lab-tests/packed-catalogue.ts";
import { addCompendium } from "./add-compendium.ts";
import { ListProblems, readTable, type TableRow } from "./csv-table.ts";
import {
  type OfferRow,
  offerColumns,
  type PanelRow,
  panelColumns,
  type QuestionRow,
  questionColumns,
  type ResultRow,
  resultColumns,
} from "./list-columns.ts";

/** The CSV texts of the lists in data/lab-catalogue. */
export interface CatalogueLists {
  readonly results: string;
  readonly panels: string;
  readonly offers: string;
  readonly questions: string;
  /** Compendia by lab slug. A compendium replaces the lab's line in the offers. */
  readonly compendia: Readonly<Record<string, string>>;
  /** Results that only compendia contain, as {@link findMissingResults} created them. */
  readonly furtherResults: readonly PackedResult[];
}

const rowValues = <T>(rows: readonly TableRow<T>[]): T[] => rows.map(({ value }) => value);

/** Builds the catalogue. @throws ListProblems with every inconsistent row. */
export function buildCatalogue(lists: CatalogueLists): PackedCatalogue {
  const resultRows = rowValues(readTable("results.csv", lists.results, resultColumns));
  const panelRows = rowValues(readTable("panels.csv", lists.panels, panelColumns));
  const offerRows = rowValues(readTable("offers.csv", lists.offers, offerColumns));
  const questionRows = rowValues(readTable("questions.csv", lists.questions, questionColumns));
  const problems = [
    ...findDuplicates("results.csv", resultRows, ({ loinc }) => loinc),
    ...findDuplicates("results.csv and panels.csv", [...resultRows, ...panelRows], ({ slug }) => slug),
    ...findDuplicates("results.csv and panels.csv", [...resultRows, ...panelRows], ({ number }) => String(number)),
    ...panelRows.flatMap((panel) => findUnknownMembers(panel, resultRows)),
    ...offerRows.filter(({ lab }) => !findLab(lab)).map(({ lab }) => `offers.csv: the lab ${lab} does not exist`),
  ];
  if (problems.length > 0) throw new ListProblems(problems);
  const results = [...resultRows.map(toResult), ...lists.furtherResults];
  const alone = resultRows.filter(({ price }) => price !== undefined);
  const tests = [
    ...alone.map((row) => toSingleTest(row, results)),
    ...panelRows.map((row) => toPanelTest(row, results, alone)),
  ];
  const priced = [...alone, ...panelRows];
  const offers: Record<string, PackedOffer[]> = {};
  for (const row of offerRows) {
    if (!(row.lab in lists.compendia)) offers[row.lab] = createOffers(row, priced);
  }
  for (const [lab, text] of Object.entries(lists.compendia)) {
    offers[lab] = addCompendium(lab, text, results, tests);
  }
  const questions = groupQuestions(questionRows);
  const asked = tests.filter(({ questions: group }) => group !== "" && !(group in questions));
  if (asked.length > 0)
    throw new ListProblems(
      asked.map(({ slug, questions: group }) => `${slug}: the question group ${group} does not exist`),
    );
  return { results, tests, offers, questions };
}

const toResult = ({ loinc, slug, name, unit, loinc_name }: ResultRow): PackedResult => ({
  loinc,
  slug,
  name,
  unit,
  loinc_name,
});

function toSingleTest(row: ResultRow, results: readonly PackedResult[]): PackedTest {
  const { slug, name, section, sample, description, also, fasting, aoe } = row;
  const place = results.findIndex((result) => result.slug === slug);
  const about = { slug, name, section, sample, description, also, questions: aoe };
  return { ...about, is_panel: false, is_fasting: fasting, results: [place], reflex: [], cpt_codes: [] };
}

function toPanelTest(row: PanelRow, results: readonly PackedResult[], alone: readonly ResultRow[]): PackedTest {
  const { slug, name, section, description, also, fasting, aoe } = row;
  const places = row.results.map((member) => results.findIndex((result) => result.slug === member));
  const reflex = row.reflex.map((member) => alone.findIndex((result) => result.slug === member));
  const sample = section === "urine" || section === "drug screen" ? "urine" : "serum";
  const about = { slug, name, section, sample, description, also, questions: aoe };
  return { ...about, is_panel: true, is_fasting: fasting, results: places, reflex, cpt_codes: [] };
}

/** @param priced the rows of all tests, in the order of the tests. */
function createOffers(row: OfferRow, priced: readonly (ResultRow | PanelRow)[]): PackedOffer[] {
  return priced.flatMap((offered, test) => {
    const { slug, section, price = 0, number, common_tat_days, worst_case_tat_days } = offered;
    const isOffered = row.sections.includes("*") || row.sections.includes(section) || row.slugs.includes(slug);
    if (!isOffered) return [];
    return {
      provider_id: String(row.first_code + number),
      test,
      price_cents: Math.round((price * row.price_percent) / 100),
      common_tat_days: common_tat_days + row.extra_days,
      worst_case_tat_days: worst_case_tat_days + row.extra_days,
      a_la_carte: "a_la_carte" in offered ? offered.a_la_carte : true,
    };
  });
}

function groupQuestions(rows: readonly QuestionRow[]): PackedCatalogue["questions"] {
  const groups = Map.groupBy(rows, ({ group }) => group);
  return Object.fromEntries([...groups].map(([group, questions]) => [group, questions.map(toQuestion)]));
}

function toQuestion({
  group: _,
  question,
  answers,
  ...row
}: QuestionRow): PackedCatalogue["questions"][string][number] {
  const choices = answers.map((answer, index) => {
    const [code = "", value = code] = answer.split("=");
    return { id: row.id * 100 + index + 1, code, value };
  });
  return { ...row, value: question, answers: choices };
}

function findDuplicates<T>(list: string, rows: readonly T[], keyOf: (row: T) => string): string[] {
  const groups = Map.groupBy(rows, keyOf);
  return [...groups].filter(([, same]) => same.length > 1).map(([key]) => `${list}: ${key} is duplicated`);
}

function findUnknownMembers({ slug, results, reflex }: PanelRow, rows: readonly ResultRow[]): string[] {
  const unknown = results.filter((member) => !rows.some((row) => row.slug === member));
  const alone = rows.filter(({ price }) => price !== undefined);
  const lost = reflex.filter((member) => !alone.some((row) => row.slug === member));
  const empty = results.length === 0 ? [`panels.csv: ${slug} has no results`] : [];
  return [
    ...empty,
    ...[...unknown, ...lost].map((member) => `panels.csv: ${slug} refers to ${member}, which does not exist`),
  ];
}
