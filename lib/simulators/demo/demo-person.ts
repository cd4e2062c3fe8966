import { createSeededRandom, randomBetween, randomInteger, type SeededRandom } from "./seeded-random.ts";

/** The constant traits of a synthetic person. All devices measure the same person. */
export interface DemoPerson {
  readonly random: SeededRandom;
  readonly sex: "female" | "male";
  readonly birthDate: string;
  readonly heightCm: number;
  /** Mean weight; measurements drift around it. */
  readonly weightKg: number;
  readonly bodyFatPercent: number;
  readonly restingBpm: number;
  readonly maxBpm: number;
  /** Mean RMSSD at night, ms. */
  readonly hrvMs: number;
  readonly breathsPerMinute: number;
  /** Basal metabolic rate. */
  readonly basalKcalPerHour: number;
  /** Amount of walking relative to the average person. */
  readonly activityFactor: number;
  /** Usual bedtime on weekdays, in minutes relative to the midnight before waking. */
  readonly bedMinute: number;
  readonly wakeMinute: number;
}

/** The year for which age-dependent traits are computed, so that data does not depend on the clock. */
const AGE_REFERENCE_YEAR = 2026;

/** Creates the person of a seed: a healthy adult of 25 to 64 years. */
export function createDemoPerson(seed: number): DemoPerson {
  const random = createSeededRandom(seed);
  const randomValue = (name: string, low: number, high: number): number => randomBetween(random, name, 0, low, high);
  const sex = random("sex", 0) < 0.5 ? "female" : "male";
  const age = randomInteger(random, "age", 0, 25, 64);
  const heightCm = Math.round(randomValue("height", -13, 13) + (sex === "female" ? 166 : 179));
  const weightKg = randomValue("body mass index", 20.5, 27.5) * (heightCm / 100) ** 2;
  return {
    random,
    sex,
    birthDate: `${AGE_REFERENCE_YEAR - age}-${twoDigits(randomInteger(random, "month", 0, 1, 12))}-${twoDigits(randomInteger(random, "day", 0, 1, 28))}`,
    heightCm,
    weightKg,
    bodyFatPercent: randomValue("body fat", 0, 8) + (sex === "female" ? 23 : 15),
    restingBpm: randomValue("resting heart rate", 52, 66),
    // Tanaka, Monahan and Seals 2001.
    maxBpm: Math.round(208 - 0.7 * age),
    hrvMs: randomValue("hrv", 35, 95) - 0.35 * (age - 25),
    breathsPerMinute: randomValue("breaths", 13, 16.5),
    // Mifflin and St Jeor 1990.
    basalKcalPerHour: (10 * weightKg + 6.25 * heightCm - 5 * age + (sex === "female" ? -161 : 5)) / 24,
    activityFactor: randomValue("liveliness", 0.75, 1.35),
    bedMinute: randomValue("bedtime", -105, -15),
    wakeMinute: randomValue("wake time", 375, 435),
  };
}

function twoDigits(value: number): string {
  return String(value).padStart(2, "0");
}
