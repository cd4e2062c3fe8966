import { noise } from "./draws.ts";
import type { Person } from "./person.ts";
import { paceOf, type Workout } from "./workout-plan.ts";
import { gridOf, isWeekend, MINUTE_MS, QUARTER_HOUR_MS, type ZoneDays } from "./zone-days.ts";

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
type Bustle = readonly [minute: number, spreadMinutes: number, strength: number];

const onWeekdays: readonly Bustle[] = [
  [8 * 60, 40, 1],
  [12 * 60 + 40, 40, 0.75],
  [17 * 60 + 45, 70, 1],
];
const atWeekends: readonly Bustle[] = [
  [11 * 60, 100, 0.85],
  [15 * 60 + 30, 120, 0.9],
];
const ALWAYS = 0.18;

/** The person and day that a movement belongs to. */
interface MovementContext {
  readonly person: Person;
  readonly zone: ZoneDays;
  readonly day: number;
  readonly workout: Workout | undefined;
  readonly isAsleep: (fromMs: number, untilMs: number) => boolean;
}

/**
 * Simulates the movements of a day per quarter hour. Splits at the start and end of a workout, so that its movements
 * sum up to the workout exactly. Omits intervals without movement.
 */
export function movementsBetween(fromMs: number, untilMs: number, context: MovementContext): Movement[] {
  const { workout } = context;
  const cuts = new Set(gridOf(fromMs, untilMs, QUARTER_HOUR_MS));
  if (workout) cuts.add(workout.startMs).add(workout.endMs);
  const starts = [...cuts].toSorted((a, b) => a - b);
  return starts
    .map((startMs, index) => movementIn(startMs, starts[index + 1] ?? untilMs, context))
    .filter((movement) => movement.activeKcal > 0);
}

function movementIn(startMs: number, endMs: number, context: MovementContext): Movement {
  const { workout } = context;
  const isWorkout = workout !== undefined && workout.startMs <= startMs && startMs < workout.endMs;
  const span = { startMs, endMs, isWorkout };
  return isWorkout ? { ...span, ...exercise(workout, span, context) } : { ...span, ...everyday(span, context) };
}

function exercise({ sport }: Workout, span: { startMs: number; endMs: number }, { person, day }: MovementContext) {
  const minutes = (span.endMs - span.startMs) / MINUTE_MS;
  const pace = paceOf(person, day) * (1 + 0.03 * noise(person.draw, "pace", span.startMs / MINUTE_MS));
  return {
    steps: minutes * sport.stepsPerMinute * pace,
    distanceM: minutes * 60 * sport.metresPerSecond * pace,
    activeKcal: (minutes / 60) * sport.kcalPerKgHour * person.weightKg * pace,
  };
}

/** Simulates everyday walking: often none, mostly little, sometimes a long walk. */
function everyday(span: { startMs: number; endMs: number }, context: MovementContext) {
  const { person, zone, day, isAsleep } = context;
  const place = span.startMs / MINUTE_MS;
  const bustle = bustleAt(zone, day, span.startMs);
  const moves = !isAsleep(span.startMs, span.endMs) && person.draw("moves", place) < 0.35 + 0.55 * bustle;
  const minutes = (span.endMs - span.startMs) / MINUTE_MS;
  const mean = 20 * bustle * person.liveliness;
  const perMinute = moves ? Math.min(118, 0.5 - Math.log(1 - person.draw("steps", place)) * mean) : 0;
  const steps = minutes * perMinute;
  return {
    steps,
    // Step length: about 0.41 of the height.
    distanceM: steps * 0.0041 * person.heightCm,
    activeKcal: steps * 0.00055 * person.weightKg,
  };
}

/** The activity level at a time of day, 0 to about 1. */
function bustleAt(zone: ZoneDays, day: number, ms: number): number {
  const minute = (ms - zone.instant(day, 0)) / MINUTE_MS;
  const times = isWeekend(day) ? atWeekends : onWeekdays;
  const strengths = times.map(([at, spread, strength]) => strength * Math.exp(-(((minute - at) / spread) ** 2) / 2));
  return ALWAYS + strengths.reduce((sum, strength) => sum + strength, 0);
}
