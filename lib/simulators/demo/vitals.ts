import { noise } from "./draws.ts";
import type { LivedDay } from "./lived-day.ts";
import { isDuring, type Night, type SleepStage } from "./night.ts";
import type { Person } from "./person.ts";
import type { Workout } from "./workout-plan.ts";
import { HOUR_MS, MINUTE_MS } from "./zone-days.ts";

/** Beats per minute above the lowest heart rate of the night, by stage. */
const stageBpm: Readonly<Record<SleepStage, number>> = { deep: 0, light: 2.5, rem: 5, awake: 9 };

/** RMSSD relative to the person's mean, by stage. */
const stageHrv: Readonly<Record<SleepStage, number>> = { deep: 1.15, light: 1, rem: 0.85, awake: 0.7 };

/** The hour of the day with the highest heart rate. */
const HIGHEST_AT_HOUR = 17;

/** Resting heart rate of a day, bpm: the person's mean with a drift over weeks and daily noise. */
export function restingBpm({ draw, restingBpm: usual }: Person, day: number): number {
  return usual + 2 * Math.sin(day / 17) + noise(draw, "resting", day);
}

/** Heart rate at an instant, bpm: asleep, in a workout, or by time of day and walking pace. */
export function heartRateAt(lived: LivedDay, ms: number): number {
  const { person, night, nextNight, workout, day } = lived;
  if (isDuring(night, ms)) return sleepingBpm(person, day, night, ms);
  if (isDuring(nextNight, ms)) return sleepingBpm(person, day + 1, nextNight, ms);
  if (workout && workout.startMs <= ms && ms < workout.endMs) return exercisingBpm(person, day, workout, ms);
  const movement = lived.movements.find(({ startMs, endMs }) => startMs <= ms && ms < endMs);
  const stepsPerMinute = movement ? (movement.steps * MINUTE_MS) / (movement.endMs - movement.startMs) : 0;
  const ofDay = 4 * Math.cos(((ms - lived.startMs) / HOUR_MS - HIGHEST_AT_HOUR) * ((2 * Math.PI) / 24));
  const wobble = 3 * noise(person.draw, "heart rate", ms / MINUTE_MS);
  return restingBpm(person, day) + 13 + ofDay + 0.4 * stepsPerMinute + wobble;
}

/** Heart rate in the night before `day`, bpm: falls until the early morning and varies by stage. */
export function sleepingBpm(person: Person, day: number, night: Night, ms: number): number {
  const part = (ms - night.startMs) / (night.endMs - night.startMs);
  const aboveLowest = 9 * (part - 0.65) ** 2;
  const wobble = 1.1 * noise(person.draw, "heart rate", ms / MINUTE_MS);
  return restingBpm(person, day) - 3 + stageBpm[stageAt(night, ms)] + aboveLowest + wobble;
}

/** Heart rate in a workout, bpm: rises within minutes, then slowly. */
function exercisingBpm(person: Person, day: number, { sport, startMs }: Workout, ms: number): number {
  const minutes = (ms - startMs) / MINUTE_MS;
  const resting = restingBpm(person, day);
  const reached = sport.effort * (1 - 0.75 * Math.exp(-minutes / 3)) + 0.0012 * minutes;
  const wobble = 3 * noise(person.draw, "heart rate", ms / MINUTE_MS);
  return Math.min(person.maxBpm, resting + (person.maxBpm - resting) * reached + wobble);
}

/** Heart rate variability in the night before `day`, RMSSD in ms. */
export function hrvAt(person: Person, day: number, night: Night, ms: number): number {
  const ofNight = 1 + 0.09 * noise(person.draw, "hrv of the night", day) + 0.06 * Math.sin(day / 17 + Math.PI);
  const ofMoment = 1 + 0.12 * noise(person.draw, "hrv", ms / MINUTE_MS);
  return person.hrvMs * ofNight * ofMoment * stageHrv[stageAt(night, ms)];
}

/** Breaths per minute in the night before `day`. */
export function breathsAt({ draw, breathsPerMinute }: Person, day: number, ms: number): number {
  return (
    breathsPerMinute + 0.3 * noise(draw, "breaths of the night", day) + 0.5 * noise(draw, "breaths", ms / MINUTE_MS)
  );
}

/** Oxygen saturation during sleep, %. */
export function oxygenAt({ draw }: Person, ms: number): number {
  return Math.min(100, 96.4 + 0.9 * noise(draw, "oxygen", ms / MINUTE_MS));
}

function stageAt(night: Night, ms: number): SleepStage {
  return night.segments.find(({ startMs, endMs }) => startMs <= ms && ms < endMs)?.stage ?? "awake";
}
