import { parseInstant } from "../shared/instant.ts";
import { toDateTime } from "./effective.ts";
import { toChoice, toComponents, toConcept, toQuantity, toStage } from "./measure.ts";
import type { ObservationComponent, ObservationValue } from "./resources.ts";
import { sleepStages } from "./sample-rows.ts";
import { unitOf } from "./summary-rows.ts";

type Fields = Readonly<Record<string, unknown>>;
type Numbers = readonly number[];

const measure = (code: string, text: string, ucum: string | null) => ({ code, text, loinc: [], ...unitOf(ucum) });
const wordsOf = (name: string) => name.replaceAll("_", " ");

/** Time in each heart rate zone of a workout. */
export const zoneComponents = ({ hr_zones }: Fields): ObservationComponent[] =>
  ((hr_zones as Numbers | null) ?? []).flatMap((seconds, index) =>
    toComponents(measure(`workouts.hr_zones.${index}`, `Time in heart rate zone ${index}`, "s"), seconds),
  );

/** The stages of a sleep cycle: one component each, whose value is its period. */
export function stageComponents(fields: Fields): ObservationComponent[] {
  const beginMs = parseInstant(fields.session_start)?.ms ?? 0;
  const at = (seconds = 0) => toDateTime(beginMs + seconds * 1000);
  const starts = fields.stage_start_offset_second as Numbers;
  const ends = fields.stage_end_offset_second as Numbers;
  return (fields.stage_type as Numbers).map((type, index) => ({
    code: toStage(type, sleepStages[type] ?? "unknown"),
    valuePeriod: { start: at(starts[index]), end: at(ends[index]) },
  }));
}

/** Nutrients whose amounts are in micrograms; those of the other minerals and vitamins are in milligrams. */
const micrograms: readonly string[] = [
  ...["chromium", "iodine", "molybdenum", "selenium"],
  ...["biotin", "folic_acid", "vitamin_b12", "vitamin_d", "vitamin_k"],
];

/** The nutrients of a meal, and the energy of each of its foods. */
export function nutrientComponents(fields: Fields): ObservationComponent[] {
  const { fats, ...macros } = (fields.macros ?? {}) as Fields;
  const micros = Object.entries((fields.micros ?? {}) as Record<string, Fields | null>);
  return [
    ...amounts("meal.macros", macros, () => "g"),
    ...amounts("meal.macros.fats", (fats ?? {}) as Fields, () => "g"),
    ...micros.flatMap(([group, list]) =>
      amounts(`meal.micros.${group}`, list ?? {}, (name) => (isInMicrograms(group, name) ? "ug" : "mg")),
    ),
    ...Object.entries((fields.data ?? {}) as Record<string, Fields>).map(([name, food]) => foodComponent(name, food)),
  ];
}

const isInMicrograms = (group: string, name: string) =>
  micrograms.includes(name) || (group === "trace_elements" && !["copper", "manganese"].includes(name));

const amounts = (prefix: string, list: Fields, ucumOf: (name: string) => string): ObservationComponent[] =>
  Object.entries(list).flatMap(([name, value]) =>
    toComponents(measure(`${prefix}.${name}`, wordsOf(name), ucumOf(name)), value),
  );

function foodComponent(name: string, { energy }: Fields): ObservationComponent {
  const of = measure("meal.data", name, "kcal");
  const { value } = (energy ?? {}) as { value?: number };
  return {
    code: toConcept(of),
    ...(value === undefined ? { valueString: name } : { valueQuantity: toQuantity(of, value) }),
  };
}

/** The lists of a menstrual cycle, with the field of each entry that has its value. */
const entryFields: Readonly<Record<string, string>> = {
  menstrual_flow: "flow",
  cervical_mucus: "quality",
  intermenstrual_bleeding: "",
  contraceptive: "type",
  detected_deviations: "deviation",
  ovulation_test: "test_result",
  home_pregnancy_test: "test_result",
  home_progesterone_test: "test_result",
  sexual_activity: "protection_used",
  basal_body_temperature: "value",
};

/** Extension with the day of an entry, because components have no time of their own. */
const ENTRY_DATE = "urn:tributary:entry-date";

/** The entries of a menstrual cycle: one component each, with its day in an extension. */
export const entryComponents = (fields: Fields): ObservationComponent[] =>
  Object.entries(entryFields).flatMap(([list, field]) =>
    ((fields[list] ?? []) as Fields[]).map((entry) => ({
      extension: [{ url: ENTRY_DATE, valueDate: String(entry.date) }],
      code: toConcept(measure(`menstrual_cycle.${list}`, wordsOf(list), null)),
      ...entryValue(list, entry[field]),
    })),
  );

function entryValue(list: string, value: unknown): ObservationValue {
  if (typeof value === "number") return { valueQuantity: toQuantity(measure(list, list, "Cel"), value) };
  if (typeof value === "string") return { valueCodeableConcept: toChoice(list, value) };
  if (list === "sexual_activity") return typeof value === "boolean" ? { valueBoolean: value } : {};
  return { valueBoolean: true };
}
