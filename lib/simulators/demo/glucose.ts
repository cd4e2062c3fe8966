import { between, noise } from "./draws.ts";
import type { LivedDay } from "./lived-day.ts";
import type { Person } from "./person.ts";
import { MINUTE_MS } from "./zone-days.ts";

/** Something eaten: when (epoch ms), how far it raises glucose (mmol/L), and how long until the top (minutes). */
export interface Meal {
  readonly atMs: number;
  readonly rise: number;
  readonly peakMinutes: number;
}

/** The lowest that a healthy person of this model has, mmol/L. */
const LOWEST = 3.4;

/** What is eaten on a day: three meals, early enough that none still counts after midnight, and maybe a snack. */
export function mealsOf({ person, zone, day, night }: LivedDay): Meal[] {
  const { draw } = person;
  const around = (name: string, minute: number) => zone.instant(day, Math.round(minute + 15 * noise(draw, name, day)));
  const breakfastMs = night.endMs + Math.round(between(draw, "breakfast", day, 25, 70)) * MINUTE_MS;
  const meals = [
    meal(person, breakfastMs, 1.2, 2.9),
    meal(person, around("lunch", 12 * 60 + 45), 1.4, 3.2),
    meal(person, around("dinner", 18 * 60 + 40), 1.4, 3.6),
  ];
  return draw("snack", day) < 0.45 ? [...meals, meal(person, around("snack time", 16 * 60), 0.5, 1.4)] : meals;
}

function meal({ draw }: Person, atMs: number, low: number, high: number): Meal {
  const place = atMs / MINUTE_MS;
  return { atMs, rise: between(draw, "rise", place, low, high), peakMinutes: between(draw, "peak", place, 38, 58) };
}

/** Glucose at an instant of a day in mmol/L: the level before meals, a rise at dawn, and what was eaten. */
export function glucoseAt({ person, day, startMs }: LivedDay, meals: readonly Meal[], ms: number): number {
  const { draw, fastingGlucose } = person;
  const hour = (ms - startMs) / (60 * MINUTE_MS);
  const dawn = 0.45 * Math.exp(-(((hour - 6.5) / 1.6) ** 2) / 2);
  const ofMeals = meals.reduce((sum, { atMs, rise, peakMinutes }) => {
    const peaks = (ms - atMs) / MINUTE_MS / peakMinutes;
    return peaks <= 0 ? sum : sum + rise * (peaks * Math.exp(1 - peaks)) ** 2;
  }, 0);
  const wobble = 0.15 * noise(draw, "glucose of the day", day) + 0.12 * noise(draw, "glucose", ms / MINUTE_MS);
  return Math.max(LOWEST, fastingGlucose + dawn + ofMeals + wobble);
}
