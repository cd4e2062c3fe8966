import * as z from "zod";
import { openEnum } from "../../contract/open-enum.ts";
import { quantity } from "./summary-fields.ts";

const grams = (description: string) => quantity(`${description}, g`, 0, 100_000);

const energy = z.object({
  unit: z.literal("kcal").describe("Unit of the energy"),
  value: z.number().min(0).max(100_000).describe("Energy, kcal"),
});

const fats = z.object({
  saturated: grams("Saturated fat"),
  monounsaturated: grams("Monounsaturated fat"),
  polyunsaturated: grams("Polyunsaturated fat"),
  omega3: grams("Omega 3"),
  omega6: grams("Omega 6"),
  total: grams("Total fat"),
});

const macros = z.object({
  carbs: grams("Carbohydrates"),
  protein: grams("Protein"),
  fats: fats.prefault({}).describe("Fats, g"),
  alcohol: grams("Alcohol"),
  water: grams("Water"),
  fibre: grams("Fibre"),
  sugar: grams("Sugar"),
  cholesterol: grams("Cholesterol"),
});

/** Amounts by nutrient. DynamoDB rejects attributes with an empty name. */
const nutrients = (known: readonly string[]) =>
  z
    .record(
      z.string().min(1).max(64).pipe(openEnum(known)),
      z.number().min(0).max(1_000_000).nullable().describe("Amount in the unit of the list"),
    )
    .nullable()
    .default(null);

/** Known minerals; amounts are in milligrams. */
export const minerals = [
  "sodium",
  "potassium",
  "calcium",
  "phosphorus",
  "magnesium",
  "iron",
  "zinc",
  "fluoride",
  "chloride",
];

const micros = z.object({
  minerals: nutrients(minerals).describe("Minerals, mg"),
  trace_elements: nutrients(["chromium", "copper", "iodine", "manganese", "molybdenum", "selenium"]).describe(
    "Trace elements; copper and manganese mg, the others µg",
  ),
  vitamins: nutrients([
    "vitamin_a",
    "vitamin_b1",
    "riboflavin",
    "niacin",
    "pantothenic_acid",
    "vitamin_b6",
    "biotin",
    "vitamin_b12",
    "vitamin_c",
    "vitamin_d",
    "vitamin_e",
    "vitamin_k",
    "folic_acid",
  ]).describe("Vitamins; biotin, folic acid, B12, D and K µg, the others mg"),
});

/** Nutrients of a meal or of one of its foods. */
export const nutrition = {
  energy: energy.nullable().default(null).describe("Energy, kcal"),
  macros: macros.nullable().default(null).describe("Macronutrients, g"),
  micros: micros.nullable().default(null).describe("Minerals, trace elements and vitamins"),
};
