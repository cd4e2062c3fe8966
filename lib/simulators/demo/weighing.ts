import { between, noise } from "./draws.ts";
import type { LivedDay } from "./lived-day.ts";
import { MINUTE_MS } from "./zone-days.ts";

/** A measurement of a scale. */
export interface Weighing {
  /** Epoch ms. */
  readonly atMs: number;
  readonly weightKg: number;
  readonly bodyFatPercent: number;
}

/** Simulates the weighing of a day: on about every fourth day, after waking. The weight drifts over months. */
export function weighingOn({ person, day, night }: LivedDay): Weighing | undefined {
  const { draw, weightKg, bodyFatPercent } = person;
  if (draw("weighs", day) > 0.27) return undefined;
  const drift = Math.sin(day / 45);
  return {
    atMs: night.endMs + Math.round(between(draw, "weighing", day, 4, 18)) * MINUTE_MS,
    weightKg: weightKg * (1 + 0.015 * drift) + 0.3 * noise(draw, "weight", day),
    bodyFatPercent: bodyFatPercent + 0.6 * drift + 0.25 * noise(draw, "body fat of the day", day),
  };
}
