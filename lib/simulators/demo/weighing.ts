import { MINUTE_MS } from "../../domain/shared/durations.ts";
import { randomBetween, randomNoise } from "./seeded-random.ts";
import type { SimulatedDay } from "./simulated-day.ts";

/** A measurement of a scale. */
export interface Weighing {
  /** Epoch ms. */
  readonly atMs: number;
  readonly weightKg: number;
  readonly bodyFatPercent: number;
}

/** Simulates the weighing of a day: on about every fourth day, after waking. The weight drifts over months. */
export function simulateWeighing({ person, day, night }: SimulatedDay): Weighing | undefined {
  const { random, weightKg, bodyFatPercent } = person;
  if (random("weighs", day) > 0.27) return undefined;
  const drift = Math.sin(day / 45);
  return {
    atMs: night.endMs + Math.round(randomBetween(random, "weighing", day, 4, 18)) * MINUTE_MS,
    weightKg: weightKg * (1 + 0.015 * drift) + 0.3 * randomNoise(random, "weight", day),
    bodyFatPercent: bodyFatPercent + 0.6 * drift + 0.25 * randomNoise(random, "body fat of the day", day),
  };
}
