import * as z from "zod";
import { dateField, midnightOfDate, quantity } from "./summary-fields.ts";
import { defineSummaryKind, prepareDailySummary } from "./summary-kind.ts";

const percent = (description: string) => quantity(`${description}, %`, 0, 100);

const fields = {
  calendar_date: dateField("Day of the measurement in the user's local time"),
  weight: quantity("Weight, kg", 0.2, 1_000),
  fat: percent("Body fat"),
  water_percentage: percent("Water"),
  muscle_mass_percentage: percent("Muscle mass"),
  visceral_fat_index: quantity("Visceral fat, index", 0, 1_000),
  bone_mass_percentage: percent("Bone mass"),
  body_mass_index: quantity("Body mass index, kg/m2", 1, 500),
  lean_body_mass_kilogram: quantity("Lean body mass, kg", 0.1, 1_000),
  waist_circumference_centimeter: quantity("Waist, cm", 1, 1_000),
};

/** Body measurements of one day: one summary per day and source. */
export const body = defineSummaryKind({
  name: "body",
  days: { begin: "date", keyDaysOff: 0 },
  ingest: z.object(fields),
  wireFields: { date: midnightOfDate, ...fields },
  prepare: prepareDailySummary,
});
