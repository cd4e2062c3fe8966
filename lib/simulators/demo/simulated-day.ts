import type { DemoPerson } from "./demo-person.ts";
import { type Movement, simulateMovements } from "./movement.ts";
import { type SimulatedNight, simulateNight } from "./night.ts";
import { type SimulatedWorkout, simulateWorkout } from "./workout.ts";
import type { ZoneCalendar } from "./zone-calendar.ts";

/** The simulated day of a person, between two local midnights. Devices record a part of it. */
export interface SimulatedDay {
  readonly person: DemoPerson;
  readonly zone: ZoneCalendar;
  /** Days since 1970-01-01. */
  readonly day: number;
  /** Epoch ms; 23 or 25 hours before `endMs` on a day with a clock change. */
  readonly startMs: number;
  readonly endMs: number;
  /** The night that ends on this day. */
  readonly night: SimulatedNight;
  /** The night that starts this evening or after midnight. */
  readonly nextNight: SimulatedNight;
  readonly workout: SimulatedWorkout | undefined;
  readonly movements: readonly Movement[];
}

/** Simulates a day. Deterministic: depends on person, zone and day only. */
export function simulateDay(person: DemoPerson, zone: ZoneCalendar, day: number): SimulatedDay {
  const startMs = zone.instantAt(day, 0);
  const endMs = zone.instantAt(day + 1, 0);
  const night = simulateNight(person, zone, day);
  const nextNight = simulateNight(person, zone, day + 1);
  const workout = simulateWorkout(person, zone, day);
  const isAsleep = (fromMs: number, untilMs: number): boolean => fromMs < night.endMs || untilMs > nextNight.startMs;
  const movements = simulateMovements(startMs, endMs, { person, zone, day, workout, isAsleep });
  return { person, zone, day, startMs, endMs, night, nextNight, workout, movements };
}
