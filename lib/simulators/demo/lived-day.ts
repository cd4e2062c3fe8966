import { type Movement, movementsBetween } from "./movement.ts";
import { type Night, nightBefore } from "./night.ts";
import type { Person } from "./person.ts";
import { type Workout, workoutOn } from "./workout-plan.ts";
import type { ZoneDays } from "./zone-days.ts";

/** The simulated day of a person, between two local midnights. Devices record a part of it. */
export interface LivedDay {
  readonly person: Person;
  readonly zone: ZoneDays;
  /** Days since 1970-01-01. */
  readonly day: number;
  /** Epoch ms; 23 or 25 hours before `endMs` on a day with a clock change. */
  readonly startMs: number;
  readonly endMs: number;
  /** The night that ends on this day. */
  readonly night: Night;
  /** The night that starts this evening or after midnight. */
  readonly nextNight: Night;
  readonly workout: Workout | undefined;
  readonly movements: readonly Movement[];
}

/** Simulates a day. Deterministic: depends on person, zone and day only. */
export function livedDay(person: Person, zone: ZoneDays, day: number): LivedDay {
  const startMs = zone.instant(day, 0);
  const endMs = zone.instant(day + 1, 0);
  const night = nightBefore(person, zone, day);
  const nextNight = nightBefore(person, zone, day + 1);
  const workout = workoutOn(person, zone, day);
  const isAsleep = (fromMs: number, untilMs: number): boolean => fromMs < night.endMs || untilMs > nextNight.startMs;
  const movements = movementsBetween(startMs, endMs, { person, zone, day, workout, isAsleep });
  return { person, zone, day, startMs, endMs, night, nextNight, workout, movements };
}
