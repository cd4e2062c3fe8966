import { minerals } from "../../summaries/nutrition.ts";

/** Paths of the `meal` columns in a meal summary. */
const paths: Readonly<Record<string, string>> = {
  date: "calendar_date",
  name: "name",
  calories: "energy.value",
  carbohydrate_gram: "macros.carbs",
  protein_gram: "macros.protein",
  alcohol_gram: "macros.alcohol",
  water_gram: "macros.water",
  fibre_gram: "macros.fibre",
  sugar_gram: "macros.sugar",
  cholesterol_gram: "macros.cholesterol",
  saturated_fat_gram: "macros.fats.saturated",
  monounsaturated_fat_gram: "macros.fats.monounsaturated",
  polyunsaturated_fat_gram: "macros.fats.polyunsaturated",
  omega3_fat_gram: "macros.fats.omega3",
  omega6_fat_gram: "macros.fats.omega6",
  total_fat_gram: "macros.fats.total",
};

const micrograms = ["biotin", "vitamin_b12", "vitamin_d", "vitamin_k", "folic_acid"];
const milligrams = [
  "vitamin_a",
  "vitamin_b1",
  "riboflavin",
  "niacin",
  "pantothenic_acid",
  "vitamin_b6",
  "vitamin_c",
  "vitamin_e",
];

const named = (group: string, unit: string, names: readonly string[]) =>
  names.map((name): [string, string] => [`${name}_${unit}`, `micros.${group}.${name}`]);

const micros = Object.fromEntries([
  ...named("minerals", "milligram", minerals),
  ...named("trace_elements", "milligram", ["copper", "manganese"]),
  ...named("trace_elements", "microgram", ["chromium", "iodine", "molybdenum", "selenium"]),
  ...named("vitamins", "milligram", milligrams),
  ...named("vitamins", "microgram", micrograms),
]);

/** Field path in a meal summary, by column of the table `meal`. */
export const mealFieldPaths: Readonly<Record<string, string>> = { ...paths, ...micros };
