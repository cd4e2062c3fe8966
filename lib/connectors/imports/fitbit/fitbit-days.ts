import type * as z from "zod";
import type { activity } from "../../fitbit/replies.ts";

/** What the JSON files report about a day, by the name of the file; public readers describe them. */
export const dayParts = {
  calories: "calories",
  lightly_active_minutes: "light",
  moderately_active_minutes: "moderate",
  very_active_minutes: "very",
  resting_heart_rate: "resting",
} as const;
export type DayPart = keyof typeof dayParts;

type Total = (typeof dayParts)[DayPart] | "steps" | "distance";

/** Collects the totals of local days. Uses about 200 bytes a day. */
export class FitbitDays {
  readonly #left = new Set<string>();
  readonly #days = new Map<string, Partial<Record<Total, number>>>();

  /** Adds to a total of a day; the resting heart rate replaces the one before. */
  add(date: string, total: Total, value: number): void {
    const day = this.#days.get(date) ?? {};
    this.#days.set(date, day);
    day[total] = total === "resting" ? value : (day[total] ?? 0) + value;
  }

  /**
   * Notes a day whose steps are in a CSV file. Such a file repeats the steps of each device, so only the service, which
   * counts each interval once, knows their sum. It derives the activity of a day that no source sends.
   */
  leaveToService(date: string): void {
    this.#left.add(date);
  }

  /** The days in the form of Fitbit's API: kcal, km and minutes. */
  *summaries(): Generator<[date: string, summary: z.output<typeof activity>["summary"]]> {
    for (const [date, { steps, distance, calories, light, moderate, very, resting }] of this.#days) {
      if (steps === undefined && this.#left.has(date)) continue;
      const summary = {
        steps: steps === undefined ? null : Math.round(steps),
        caloriesOut: calories === undefined ? null : Math.round(calories * 100) / 100,
        activityCalories: null,
        floors: null,
        lightlyActiveMinutes: light ?? null,
        fairlyActiveMinutes: moderate ?? null,
        veryActiveMinutes: very ?? null,
        restingHeartRate: resting ?? null,
        distances: distance === undefined ? [] : [{ activity: "total", distance: distance / 1000 }],
      };
      yield [date, summary];
    }
  }
}
