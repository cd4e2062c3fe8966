import { parseInstant } from "../../domain/shared/instant.ts";
import { formatUtc } from "../format-utc.ts";
import { roundOrNull } from "../nullable-numbers.ts";
import { parseSport } from "../parse-sport.ts";
import { zoneOffset } from "../zone-offset.ts";
import type { TimeSeries, Workout } from "./replies.ts";

const JOULES_PER_KCAL = 4_184;

/** Names of activity types that differ from the unified model. */
const sports: Readonly<Record<string, string>> = {
  Run: "running",
  "Bike Ride": "cycling",
  Walk: "walking",
  Hike: "hiking",
  Swim: "swimming",
  "Weight Workout": "strength_training",
};

/** The provider's id of a workout or activity type; empty if absent. */
export const idOf = (link: Workout["_links"]["self"] | null | undefined): string =>
  link?.[0]?.id ?? /(\d+)\/?$/.exec(link?.[0]?.href ?? "")?.[1] ?? "";

/** The duration of a workout in seconds, pauses included where the provider states them. */
export const findDuration = ({ aggregates: { elapsed_time_total, active_time_total } }: Workout): number | undefined =>
  elapsed_time_total ?? active_time_total ?? undefined;

/** Maps a workout: metres, seconds and m/s in both models, joules to kcal. @param type the name of its activity type. */
export function toWorkout(done: Workout, type: string | undefined) {
  const start = parseInstant(done.start_datetime);
  const sums = done.aggregates;
  const seconds = findDuration(done);
  const id = idOf(done._links.self);
  if (!start || seconds === undefined || id === "") return [];
  // Without a distance, zeros mean not measured.
  const moved = (value: number | null | undefined) => ((sums.distance_total ?? 0) > 0 ? (value ?? null) : null);
  const energy = sums.metabolic_energy_total;
  return [
    {
      provider_id: id,
      title: done.name,
      time_start: formatUtc(start.ms),
      time_end: formatUtc(start.ms + seconds * 1000),
      timezone_offset: zoneOffset(done.start_locale_timezone, start.ms),
      sport: parseSport(sports[type ?? ""] ?? type ?? ""),
      moving_time: roundOrNull(sums.active_time_total),
      distance: moved(sums.distance_total),
      average_speed: moved(sums.speed_avg),
      max_speed: moved(sums.speed_max),
      steps: roundOrNull(sums.steps_total || null),
      average_hr: roundOrNull(sums.heartrate_avg || null),
      max_hr: roundOrNull(sums.heartrate_max || null),
      average_watts: sums.power_avg ?? null,
      max_watts: sums.power_max ?? null,
      calories: energy ? energy / JOULES_PER_KCAL : null,
    },
  ];
}

type Values = ReadonlyMap<number, number | null>;

/** Whole seconds since the start, and values; a later value of a second replaces an earlier one. */
const valuesOf = <T>(pairs: readonly (readonly [number, T])[] | null | undefined, read: (value: T) => number | null) =>
  new Map((pairs ?? []).map(([second, value]): [number, number | null] => [Math.floor(second), read(value)]));

/** Maps series to a stream with all times of all series; null where a series has no value. Empty without values. */
export function toStream(done: Workout, series: TimeSeries) {
  const start = parseInstant(done.start_datetime);
  const valueOrNull = (value: number | null | undefined) => value ?? null;
  const lists: Readonly<Record<string, Values>> = {
    distance: valuesOf(series.distance, valueOrNull),
    heartrate: valuesOf(series.heartrate, roundOrNull),
    velocity_smooth: valuesOf(series.speed, valueOrNull),
    cadence: valuesOf(series.cadence, valueOrNull),
    power: valuesOf(series.power, valueOrNull),
    lat: valuesOf(series.position, (place) => place?.lat ?? null),
    lng: valuesOf(series.position, (place) => place?.lng ?? null),
    altitude: valuesOf(series.position, (place) => place?.elevation ?? null),
  };
  const seconds = [...new Set(Object.values(lists).flatMap((list) => [...list.keys()]))].toSorted((a, b) => a - b);
  if (!start || seconds.length === 0) return [];
  const columns = Object.entries(lists).map(([name, list]) => {
    const isMeasured = [...list.values()].some((value) => value !== null);
    return [name, isMeasured ? seconds.map((second) => list.get(second) ?? null) : []] as const;
  });
  const begin = Math.floor(start.ms / 1000);
  const time = seconds.map((second) => begin + second);
  return [{ provider_id: idOf(done._links.self), time, ...Object.fromEntries(columns) }];
}
