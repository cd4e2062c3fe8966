import type { CodeableConcept, ObservationComponent, ObservationValue, Quantity } from "./resources.ts";
import { systems } from "./systems.ts";

/** Categories of observations that the mapping uses (FHIR R4, observation-category). */
export type Category = "vital-signs" | "activity" | "laboratory" | "survey" | "exam" | "therapy";

/** What a value means and its unit: one row of the mapping. */
export interface Measure {
  /** Code in the project's own system. */
  readonly code: string;
  /** Name for people, in English. */
  readonly text: string;
  /** LOINC codes; empty where LOINC has none, or none with this exact meaning is known. */
  readonly loinc: readonly string[];
  /** Unit of the ordinary API; absent for values without a unit. */
  readonly unit?: string;
  /** UCUM code of the unit; absent for a unit that UCUM does not have. */
  readonly ucum?: string;
}

/** A measure that is an Observation of its own. */
export interface ObservationMeasure extends Measure {
  readonly category: Category;
}

/** FHIR R4 vital signs profiles by LOINC code (http://hl7.org/fhir/R4/observation-vitalsigns.html). */
const profiles: Readonly<Record<string, string>> = {
  "8867-4": "heartrate",
  "9279-1": "resprate",
  "2708-6": "oxygensat",
  "8310-5": "bodytemp",
  "8302-2": "bodyheight",
  "29463-7": "bodyweight",
  "39156-5": "bmi",
  "85354-9": "bp",
};

/** Name of the vital signs profile that a measure follows; undefined if it is none of them. */
export const profileOf = ({ loinc }: Measure): string | undefined =>
  loinc.map((code) => profiles[code]).find((name) => name !== undefined);

/** The codes of a measure: LOINC first, then the project's own. */
export const toConcept = ({ loinc, code, text }: Measure): CodeableConcept => ({
  coding: [...loinc.map((one) => ({ system: systems.loinc, code: one })), { system: systems.measure, code }],
  text,
});

/** A category of observations as a concept. */
export const toCategory = (category: Category): CodeableConcept => ({
  coding: [{ system: systems.observationCategory, code: category }],
});

/** A value in the unit of a measure. */
export const toQuantity = ({ unit, ucum }: Measure, value: number): Quantity => ({
  value,
  ...(unit === undefined ? {} : { unit }),
  ...(ucum === undefined ? {} : { system: systems.ucum, code: ucum }),
});

/** One of the choices of a field, such as `sensor_location` `wrist`. */
export const toChoice = (field: string, value: string): CodeableConcept => ({
  coding: [{ system: systems.choice, code: `${field}.${value}` }],
  text: value.replaceAll("_", " "),
});

/** A sleep stage with its number in the ordinary API. */
export const toStage = (number: number, name: string) => ({
  coding: [{ system: systems.choice, code: `sleep_stage.${number}`, display: name }],
  text: name,
});

/** The value of a measure: a quantity, a text or a boolean. Undefined for null. */
export function toValue(measure: Measure, value: unknown): ObservationValue | undefined {
  if (typeof value === "number") return { valueQuantity: toQuantity(measure, value) };
  if (typeof value === "string") return { valueString: value };
  return typeof value === "boolean" ? { valueBoolean: value } : undefined;
}

/** A component for a value; none for null. */
export function toComponents(measure: Measure, value: unknown): ObservationComponent[] {
  const given = toValue(measure, value);
  return given ? [{ code: toConcept(measure), ...given }] : [];
}

/** Components for the choices of a field; none for null. */
export function toChoiceComponents(
  code: string,
  field: string,
  values: readonly string[] | string | null | undefined,
): ObservationComponent[] {
  const measure = { code, text: code.replaceAll("_", " "), loinc: [] };
  return [values ?? []]
    .flat()
    .map((value) => ({ code: toConcept(measure), valueCodeableConcept: toChoice(field, value) }));
}
