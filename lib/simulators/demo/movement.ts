import { MINUTE_MS } from "../../domain/shared/durations.ts";
import type { DemoPerson } from "./demo-person.ts";
import { randomNoise } from "./seeded-random.ts";
import { paceFactor, type SimulatedWorkout } from "./workout.ts";
import { isWeekend, QUARTER_HOUR_MS, timeGrid, type ZoneCalendar } from "./zone-calendar.ts";

/** The movement of a person in an interval (epoch ms) of at most a quarter hour. */
export interface Movement {
  readonly startMs: number;
  readonly endMs: number;
  readonly steps: number;
  readonly distanceM: number;
  /** Active energy, excluding basal energy. */
  readonly activeKcal: number;
  readonly isWorkout: boolean;
}

/** A peak of activity in a day: its time, its standard deviation and its strength. */
type ActivityPeak = readonly [minute: number, spreadMinutes: number, strength: number];

const weekdayPeaks: readonly ActivityPeak[] = [
  [8 * 60, 40, 1],
  [12 * 60 + 40, 40, 0.75],
  [17 * 60 + 45, 70, 1],
];
const weekendPeaks: readonly ActivityPeak[] = [
  [11 * 60, 100, 0.85],
  [15 * 60 + 30, 120, 0.9],
];
const BASE_ACTIVITY_LEVEL = 0.18;

/** The person and day that a movement belongs to. */
interface MovementContext {
  readonly person: DemoPerson;
  readonly zone: ZoneCalendar;
  readonly day: number;
  readonly workout: SimulatedWorkout | undefined;
  readonly isAsleep: (fromMs: number, untilMs: number) => boolean;
}

/**
 * Simulates the movements of a day per quarter hour. Splits at the start and end of a workout, so that its movements
 * sum up to the workout exactly. Omits intervals without movement.
 */
export function simulateMovements(fromMs: number, untilMs: number, context: MovementContext): Movement[] {
  const { workout } = context;
  const cuts = new Set(timeGrid(fromMs, untilMs, QUARTER_HOUR_MS));
  if (workout) cuts.add(workout.startMs).add(workout.endMs);
  const starts = [...cuts].toSorted((a, b) => a - b);
  return starts
    .map((startMs, index) => simulateMovement(startMs, starts[index + 1] ?? untilMs, context))
    .filter((movement) => movement.activeKcal > 0);
}

function simulateMovement(startMs: number, endMs: number, context: MovementContext): Movement {
  const { workout } = context;
  const isWorkout = workout !== undefined && workout.startMs <= startMs && startMs < workout.endMs;
  const span = { startMs, endMs, isWorkout };
  return isWorkout
    ? { ...span, ...exerciseMovement(workout, span, context) }
    : { ...span, ...everydayMovement(span, context) };
}

function exerciseMovement(
  { sport }: SimulatedWorkout,
  span: { startMs: number; endMs: number },
  { person, day }: MovementContext,
) {
  const minutes = (span.endMs - span.startMs) / MINUTE_MS;
  const pace = paceFactor(person, day) * (1 + 0.03 * randomNoise(person.random, "pace", span.startMs / MINUTE_MS));
  return {
    steps: minutes * sport.stepsPerMinute * pace,
    distanceM: minutes * 60 * sport.metresPerSecond * pace,
    activeKcal: (minutes / 60) * sport.kcalPerKgHour * person.weightKg * pace,
  };
}

/** Simulates everyday walking: often none, mostly little, sometimes a long walk. */
function everydayMovement(span: { startMs: number; endMs: number }, context: MovementContext) {
  const { person, zone, day, isAsleep } = context;
  const place = span.startMs / MINUTE_MS;
  const activityLevel = activityLevelAt(zone, day, span.startMs);
  const moves = !isAsleep(span.startMs, span.endMs) && person.random("moves", place) < 0.35 + 0.55 * activityLevel;
  const minutes = (span.endMs - span.startMs) / MINUTE_MS;
  const mean = 20 * activityLevel * person.activityFactor;
  const perMinute = moves ? Math.min(118, 0.5 - Math.log(1 - person.random("steps", place)) * mean) : 0;
  const steps = minutes * perMinute;
  return {
    steps,
    // Step length: about 0.41 of the height.
    distanceM: steps * 0.0041 * person.heightCm,
    activeKcal: steps * 0.00055 * person.weightKg,
  };
}

/** The activity level at a time of day, 0 to about 1. */
function activityLevelAt(zone: ZoneCalendar, day: number, ms: number): number {
  const minute = (ms - zone.instantAt(day, 0)) / MINUTE_MS;
  const times = isWeekend(day) ? weekendPeaks : weekdayPeaks;
  const strengths = times.map(([at, spread, strength]) => strength * Math.exp(-(((minute - at) / spread) ** 2) / 2));
  return BASE_ACTIVITY_LEVEL + strengths.reduce((sum, strength) => sum + strength, 0);
}
