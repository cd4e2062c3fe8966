import type { SyntheticDay, SyntheticPerson } from "./synthetic-person.ts";

/** A meal at noon with its insulin: grams of carbohydrates, units of rapid-acting insulin. */
export interface SyntheticMeal {
  readonly atMs: number;
  readonly grams: number;
  readonly units: number;
}

/** The meal of a day. */
export function mealOfDay(person: SyntheticPerson, day: SyntheticDay): SyntheticMeal {
  return { atMs: person.zone.instantAt(day.day, 720), grams: 30 + (day.steps % 50), units: 2 + (day.floors % 5) };
}
