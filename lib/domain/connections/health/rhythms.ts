import { HOUR_MS } from "../../shared/durations.ts";

/** The expected rhythm of a provider. A provider without one is never stale. */
export interface Rhythm {
  /** Longest ordinary time between two arrivals of any data, hours; only for providers that nothing else can ask. */
  readonly arrivalHours?: number;
  /** Time after which a push must have delivered what the provider has, hours by event name of the resource. */
  readonly pushHours?: Readonly<Record<string, number>>;
}

/** Three days cover a weekend without the phone, and systems that run background apps once a day. */
const healthStore: Rhythm = { arrivalHours: 72 };
/** A poll each 24 hours finds data that no push delivered. A push has the rest of the time to deliver it after all. */
const PUSH_HOURS = 60;
const pushed = (...resources: readonly string[]): Rhythm => ({
  pushHours: Object.fromEntries(resources.map((resource) => [resource, PUSH_HOURS])),
});

/**
 * Expected rhythms by provider and resource; docs/connection-health.md shows the table. Bluetooth devices have none,
 * because people measure when they want to. Providers without pushes have none, because the service asks them itself.
 */
export const rhythms: Readonly<Record<string, Rhythm>> = {
  apple_health_kit: healthStore,
  health_connect: healthStore,
  samsung_health: healthStore,
  // Garmin sends a day's summary whenever the watch synchronises, worn or not, and offers no pull to compare with.
  garmin: { arrivalHours: 168 },
  oura: pushed("activity", "sleep", "workouts"),
  withings: pushed("activity", "sleep", "workouts", "weight"),
  whoop_v2: pushed("sleep", "workouts"),
  strava: pushed("workouts"),
  polar: pushed("activity", "sleep", "workouts"),
  google_health: pushed("sleep", "workouts", "weight"),
  fitbit: pushed("activity", "sleep", "weight"),
  wahoo: pushed("workouts"),
  ride_with_gps: pushed("workouts"),
  intervals_icu: pushed("workouts"),
  concept2: pushed("workouts"),
  suunto: pushed("activity", "sleep", "workouts"),
  omron: pushed("blood_pressure"),
};

/** Interval of the polls that compare, hours. */
const POLL_HOURS = 24;

/** Longest ordinary silence of a provider, milliseconds; undefined if its silence says nothing. */
export function arrivalRhythmMs(provider: string): number | undefined {
  const hours = rhythms[provider]?.arrivalHours;
  return hours === undefined ? undefined : hours * HOUR_MS;
}

/** Time that a push has from the poll that found its data, milliseconds by event name of the resource. */
export function pushGraces(provider: string): ReadonlyMap<string, number> {
  const hours = Object.entries(rhythms[provider]?.pushHours ?? {});
  return new Map(hours.map(([resource, most]) => [resource, (most - POLL_HOURS) * HOUR_MS]));
}
