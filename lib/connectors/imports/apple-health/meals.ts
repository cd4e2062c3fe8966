import {
  BAD_DATE,
  BAD_VALUE,
  type MappingOutcome,
  type OutgoingRecord,
  type RecordSource,
  sourceKey,
  UNKNOWN_UNIT,
} from "../mapping-outcome.ts";
import { parseNumber } from "../reading/parse-number.ts";
import { type Element, metadataValue } from "./element.ts";
import { readInterval } from "./export-date.ts";
import { readSource } from "./record-source.ts";
import { convertUnit } from "./unit-conversion.ts";

/** The place of a nutrient in a meal, and its factor from grams. */
type NutrientRule = readonly [list: string, name: string, perGram: number];

const QUANTITY = "HKQuantityTypeIdentifierDietary";
const [MILLIGRAMS, MICROGRAMS] = [1_000, 1_000_000];

const macro = (name: string): NutrientRule => ["macros", name, 1];
const fat = (name: string): NutrientRule => ["fats", name, 1];
const mineral = (name: string): NutrientRule => ["minerals", name, MILLIGRAMS];
const trace = (name: string, perGram = MICROGRAMS): NutrientRule => ["trace_elements", name, perGram];
const vitamin = (name: string, perGram = MILLIGRAMS): NutrientRule => ["vitamins", name, perGram];

/** Nutrients by HKQuantityTypeIdentifierDietary…. Water, caffeine and carbohydrates are timeseries. */
const nutrients: Readonly<Record<string, NutrientRule>> = {
  Protein: macro("protein"),
  Fiber: macro("fibre"),
  Sugar: macro("sugar"),
  Cholesterol: macro("cholesterol"),
  FatTotal: fat("total"),
  FatSaturated: fat("saturated"),
  FatMonounsaturated: fat("monounsaturated"),
  FatPolyunsaturated: fat("polyunsaturated"),
  Sodium: mineral("sodium"),
  Potassium: mineral("potassium"),
  Calcium: mineral("calcium"),
  Phosphorus: mineral("phosphorus"),
  Magnesium: mineral("magnesium"),
  Iron: mineral("iron"),
  Zinc: mineral("zinc"),
  Chloride: mineral("chloride"),
  Chromium: trace("chromium"),
  Copper: trace("copper", MILLIGRAMS),
  Iodine: trace("iodine"),
  Manganese: trace("manganese", MILLIGRAMS),
  Molybdenum: trace("molybdenum"),
  Selenium: trace("selenium"),
  VitaminA: vitamin("vitamin_a"),
  Thiamin: vitamin("vitamin_b1"),
  Riboflavin: vitamin("riboflavin"),
  Niacin: vitamin("niacin"),
  PantothenicAcid: vitamin("pantothenic_acid"),
  VitaminB6: vitamin("vitamin_b6"),
  Biotin: vitamin("biotin", MICROGRAMS),
  VitaminB12: vitamin("vitamin_b12", MICROGRAMS),
  VitaminC: vitamin("vitamin_c"),
  VitaminD: vitamin("vitamin_d", MICROGRAMS),
  VitaminE: vitamin("vitamin_e"),
  VitaminK: vitamin("vitamin_k", MICROGRAMS),
  Folate: vitamin("folic_acid", MICROGRAMS),
};

const nameOf = ({ attributes: { type = "" } }: Element) =>
  type.startsWith(QUANTITY) ? type.slice(QUANTITY.length) : "";

/** Whether a record is a nutrient of a meal. */
export const isNutrient = (record: Element): boolean => nameOf(record) in nutrients || isEnergy(record);
const isEnergy = (record: Element): boolean => nameOf(record) === "EnergyConsumed";

interface Meal {
  readonly source: RecordSource;
  /** ISO 8601 with the local offset. */
  readonly timestamp: string;
  readonly name: string | undefined;
  energy: number | undefined;
  /** Amounts by list and name. */
  readonly lists: Record<string, Record<string, number>>;
}

/** Joins the nutrients that one app wrote for one instant to a meal. Uses about 1 KB per meal. */
export class Meals {
  readonly #meals = new Map<string, Meal>();

  /** Adds a record, see {@link isNutrient}. Nutrients of several foods of a meal add up. */
  add(record: Element): MappingOutcome {
    const span = readInterval(record);
    if (!span) return BAD_DATE;
    const given = parseNumber(record.attributes.value);
    if (given === undefined) return BAD_VALUE;
    const amount = convertUnit(given, record.attributes.unit ?? "", isEnergy(record) ? "kcal" : "grams");
    if (amount === undefined) return UNKNOWN_UNIT;
    const source = readSource(record);
    const key = `${sourceKey(source)} ${span.start.ms}`;
    const meal = this.#meals.get(key) ?? {
      source,
      timestamp: span.start.iso,
      name: metadataValue(record, "HKFoodType")?.trim() || undefined,
      energy: undefined,
      lists: {},
    };
    this.#meals.set(key, meal);
    const [list, name, perGram] = nutrients[nameOf(record)] ?? [];
    if (list === undefined || name === undefined || perGram === undefined) meal.energy = (meal.energy ?? 0) + amount;
    else addTo(meal, list, name, amount * perGram);
    return { leftOut: "part of a meal" };
  }

  /** A summary of each meal. */
  *summaries(): Generator<OutgoingRecord> {
    for (const { source, timestamp, name, energy, lists } of this.#meals.values()) {
      const { macros, fats, ...micros } = lists;
      const content = {
        timestamp,
        ...(name === undefined ? {} : { name: name.slice(0, 1_000) }),
        ...(energy === undefined ? {} : { energy: { unit: "kcal", value: energy } }),
        ...(macros || fats ? { macros: { ...macros, ...(fats ? { fats } : {}) } } : {}),
        ...(Object.keys(micros).length > 0 ? { micros } : {}),
      };
      yield { resource: "meal", source, key: timestamp, content };
    }
  }
}

/** Adds an amount. Rounds to 12 significant digits, as conversions do. */
function addTo({ lists }: Meal, list: string, name: string, amount: number): void {
  const amounts = lists[list] ?? {};
  lists[list] = amounts;
  amounts[name] = Number(((amounts[name] ?? 0) + amount).toPrecision(12));
}
