import type { ReportMetadata } from "../wire-parsing-job.ts";

/** The patient for whom a range is selected; null if the report does not state the field. */
export interface Patient {
  readonly sex: "male" | "female" | null;
  /** In years. */
  readonly age: number | null;
}

/** A population and its reference range. */
interface PopulationRange {
  readonly sex: Patient["sex"];
  /** Lower bound and exclusive upper bound of the age, in years. */
  readonly ages: readonly [number, number] | null;
  readonly isPregnant: boolean;
  readonly range: string;
}

const ALONE = "(?=\\s*[:=)]|\\s+[\\d<>≤≥])";
const MALE = `males?|men|man|boys?|m${ALONE}`;
const FEMALE = `females?|women|woman|girls?|f${ALONE}`;
const AGES = "adults?|child(?:ren)?|infants?|newborns?|neonates?|p(?:a)?ediatric|adolescents?|elderly|pregnan(?:t|cy)";
const YEARS = "years?|yrs?|y\\/?o|y|months?|mos?|days?|weeks?|wks?";
const SIGN = "(?:[<>≤≥]=?|over|under|above|below|up\\s+to|from|age[ds]?|older\\s+than|younger\\s+than)\\s*";
const SPAN = `(?:${SIGN})*\\d+(?:\\s*(?:-|–|—|to)\\s*[<]?\\d+)?\\s*\\+?\\s*(?:${YEARS})\\.?(?:\\s?\\/\\s?\\p{L}+\\.?)?(?:\\s+(?:and|or)\\s+(?:over|older|above|under|younger|up|more))?(?:\\s+(?:of\\s+age|old))?`;
const POPULATION = `(?:${MALE}|${FEMALE}|${AGES}|(?:age[ds]?\\s*:?\\s*)?${SPAN})(?![\\p{L}\\d])`;
const LABEL = new RegExp(
  `(?<![\\p{L}\\d.])[(\\[]?${POPULATION}(?:[\\s,()/:-]+${POPULATION})*\\s*[)\\]]?\\s*[:=]?\\s*`,
  "giu",
);
const START = new RegExp(`^[\\s([*]*${LABEL.source}`, "iu");

/** Reports whether a text starts with the population of a reference range. */
export const startsWithPopulation = (text: string): boolean => START.test(text.trim());

/** The patient of a report. */
export function patientFromMetadata({ gender, dob, date_collected, date_reported }: ReportMetadata): Patient {
  const sex = gender === "male" || gender === "female" ? gender : null;
  const day = date_collected ?? date_reported;
  const age = dob && day ? (Date.parse(day) - Date.parse(dob)) / MS_PER_YEAR : null;
  return { sex, age };
}
const MS_PER_YEAR = 365.2425 * 86_400_000;

/**
 * Selects the range that applies to a patient from a list by population, `Men 13 - 17 Women 12 - 15`. Where sex or age
 * is unknown, the range must be that of everybody the patient may be.
 * @returns the text itself if it is no list, null if none or several apply.
 */
export function selectRange(text: string, patient: Patient): string | null {
  const groups = splitPopulationRanges(text);
  if (groups.length === 0) return text;
  const fitting = possiblePatients(patient, groups).map((one) => rangeFor(one, groups));
  return new Set(fitting).size === 1 ? (fitting[0] ?? null) : null;
}

type KnownPatient = { readonly [Field in keyof Patient]: NonNullable<Patient[Field]> };

/** One patient of each sex and age between which groups differ, as far as the report leaves them open. */
function possiblePatients({ sex, age }: Patient, groups: readonly PopulationRange[]): KnownPatient[] {
  const sexes = sex === null ? (["male", "female"] as const) : [sex];
  const bounds = groups.flatMap(({ ages }) => ages ?? []).filter((bound) => bound < MAX_AGE_YEARS);
  const ages = age === null ? [0, ...bounds] : [age];
  return sexes.flatMap((one) => ages.map((other) => ({ sex: one, age: other })));
}

/** The range of a patient; null if none or several apply. */
function rangeFor(patient: KnownPatient, groups: readonly PopulationRange[]): string | null {
  const ranges = new Set(groups.filter((group) => appliesTo(group, patient)).map(({ range }) => range));
  return ranges.size === 1 ? ([...ranges][0] ?? null) : null;
}

function splitPopulationRanges(text: string): PopulationRange[] {
  const labels = [...text.matchAll(LABEL)];
  const behind = /^\W*\d/.test(text.slice(0, labels[0]?.index ?? 0)) && !/\d/.test(labels[0]?.[0] ?? "");
  return labels.map((label, place) => {
    const from = behind ? end(labels[place - 1]) : label.index + label[0].length;
    const to = behind ? label.index : (labels[place + 1]?.index ?? text.length);
    const range = text.slice(from, to).replaceAll(/^[\s,;|/(]+|[\s,;|/(]+$/g, "");
    return { ...parsePopulation(label[0]), range };
  });
}

const end = (match: RegExpMatchArray | undefined) => (match ? (match.index ?? 0) + match[0].length : 0);

function parsePopulation(label: string): Omit<PopulationRange, "range"> {
  const is = (words: string) => new RegExp(`(?<![\\p{L}])(?:${words})(?![\\p{L}])`, "iu").test(label);
  return {
    sex: is(`f|${FEMALE}`) ? "female" : is(`m|${MALE}`) ? "male" : null,
    ages: parseAges(label, is),
    isPregnant: is("pregnan(?:t|cy)"),
  };
}

const ADULT_AGE_YEARS = 18;
const MAX_AGE_YEARS = 200;

function parseAges(label: string, is: (words: string) => boolean): [number, number] | null {
  const [, sign = "", first = "", second, , plus = "", unit = "", behind = ""] =
    new RegExp(
      `((?:${SIGN})*)(\\d+)(?:\\s*(?:-|–|—|to)\\s*<?(\\d+))?(\\s*)(\\+?)\\s*(${YEARS})\\.?((?:\\s+(?:and|or)\\s+\\w+)?)`,
      "i",
    ).exec(label) ?? [];
  if (first !== "") {
    const share = /^d/i.test(unit) ? 1 / 365 : /^w/i.test(unit) ? 7 / 365 : /^mo/i.test(unit) ? 1 / 12 : 1;
    const one = Number(first) * share;
    if (second !== undefined) return [one, (Number(second) + 1) * share];
    if (plus !== "" || /over|older|above|up$|more/i.test(behind)) return [one, MAX_AGE_YEARS];
    if (/>|≥|over|above|from|older/i.test(sign)) return [one, MAX_AGE_YEARS];
    if (/<|≤|under|below|up\s+to|younger/i.test(sign) || /under|younger/i.test(behind)) return [0, one];
    return [one, one + share];
  }
  if (is("adults?")) return [ADULT_AGE_YEARS, MAX_AGE_YEARS];
  if (is("elderly")) return [65, MAX_AGE_YEARS];
  if (is("infants?|newborns?|neonates?")) return [0, 1];
  return is("child(?:ren)?|p(?:a)?ediatric|adolescents?") ? [0, ADULT_AGE_YEARS] : null;
}

function appliesTo({ sex, ages, isPregnant }: PopulationRange, patient: KnownPatient): boolean {
  if (isPregnant || (sex !== null && sex !== patient.sex)) return false;
  return ages === null || (patient.age >= ages[0] && patient.age < ages[1]);
}
