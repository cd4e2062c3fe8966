import { HOUR_MS, MINUTE_MS } from "../../domain/shared/durations.ts";
import type { DemoPerson } from "./demo-person.ts";
import { isWithinNight, type SimulatedNight, type SleepStage } from "./night.ts";
import { randomNoise } from "./seeded-random.ts";
import type { SimulatedDay } from "./simulated-day.ts";
import type { SimulatedWorkout } from "./workout.ts";

/** Beats per minute above the lowest heart rate of the night, by stage. */
const bpmAboveLowestByStage: Readonly<Record<SleepStage, number>> = { deep: 0, light: 2.5, rem: 5, awake: 9 };

/** RMSSD relative to the person's mean, by stage. */
const hrvFactorByStage: Readonly<Record<SleepStage, number>> = { deep: 1.15, light: 1, rem: 0.85, awake: 0.7 };

/** The hour of the day with the highest heart rate. */
const PEAK_HEART_RATE_HOUR = 17;

/** Resting heart rate of a day, bpm: the person's mean with a drift over weeks and daily noise. */
export function restingBpm({ random, restingBpm: usual }: DemoPerson, day: number): number {
  return usual + 2 * Math.sin(day / 17) + randomNoise(random, "resting", day);
}

/** Heart rate at an instant, bpm: asleep, in a workout, or by time of day and walking pace. */
export function heartRateAt(simulatedDay: SimulatedDay, ms: number): number {
  const { person, night, nextNight, workout, day } = simulatedDay;
  if (isWithinNight(night, ms)) return sleepingBpm(person, day, night, ms);
  if (isWithinNight(nextNight, ms)) return sleepingBpm(person, day + 1, nextNight, ms);
  if (workout && workout.startMs <= ms && ms < workout.endMs) return exercisingBpm(person, day, workout, ms);
  const movement = simulatedDay.movements.find(({ startMs, endMs }) => startMs <= ms && ms < endMs);
  const stepsPerMinute = movement ? (movement.steps * MINUTE_MS) / (movement.endMs - movement.startMs) : 0;
  const ofDay = 4 * Math.cos(((ms - simulatedDay.startMs) / HOUR_MS - PEAK_HEART_RATE_HOUR) * ((2 * Math.PI) / 24));
  const wobble = 3 * randomNoise(person.random, "heart rate", ms / MINUTE_MS);
  return restingBpm(person, day) + 13 + ofDay + 0.4 * stepsPerMinute + wobble;
}

/** Heart rate in the night before `day`, bpm: falls until the early morning and varies by stage. */
export function sleepingBpm(person: DemoPerson, day: number, night: SimulatedNight, ms: number): number {
  const part = (ms - night.startMs) / (night.endMs - night.startMs);
  const aboveLowest = 9 * (part - 0.65) ** 2;
  const wobble = 1.1 * randomNoise(person.random, "heart rate", ms / MINUTE_MS);
  return restingBpm(person, day) - 3 + bpmAboveLowestByStage[stageAt(night, ms)] + aboveLowest + wobble;
}

/** Heart rate in a workout, bpm: rises within minutes, then slowly. */
function exercisingBpm(person: DemoPerson, day: number, { sport, startMs }: SimulatedWorkout, ms: number): number {
  const minutes = (ms - startMs) / MINUTE_MS;
  const resting = restingBpm(person, day);
  const reached = sport.effort * (1 - 0.75 * Math.exp(-minutes / 3)) + 0.0012 * minutes;
  const wobble = 3 * randomNoise(person.random, "heart rate", ms / MINUTE_MS);
  return Math.min(person.maxBpm, resting + (person.maxBpm - resting) * reached + wobble);
}

/** Heart rate variability in the night before `day`, RMSSD in ms. */
export function hrvAt(person: DemoPerson, day: number, night: SimulatedNight, ms: number): number {
  const ofNight = 1 + 0.09 * randomNoise(person.random, "hrv of the night", day) + 0.06 * Math.sin(day / 17 + Math.PI);
  const ofMoment = 1 + 0.12 * randomNoise(person.random, "hrv", ms / MINUTE_MS);
  return person.hrvMs * ofNight * ofMoment * hrvFactorByStage[stageAt(night, ms)];
}

/** Breaths per minute in the night before `day`. */
export function breathingRateAt({ random: draw, breathsPerMinute }: DemoPerson, day: number, ms: number): number {
  return (
    breathsPerMinute +
    0.3 * randomNoise(draw, "breaths of the night", day) +
    0.5 * randomNoise(draw, "breaths", ms / MINUTE_MS)
  );
}

/** Oxygen saturation during sleep, %. */
export function oxygenSaturationAt({ random: draw }: DemoPerson, ms: number): number {
  return Math.min(100, 96.4 + 0.9 * randomNoise(draw, "oxygen", ms / MINUTE_MS));
}

function stageAt(night: SimulatedNight, ms: number): SleepStage {
  return night.segments.find(({ startMs, endMs }) => startMs <= ms && ms < endMs)?.stage ?? "awake";
}
