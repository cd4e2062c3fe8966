import type { DayWithWorkout } from "../synthetic-data/available-data.ts";
import type { SyntheticPerson } from "../synthetic-data/synthetic-person.ts";
import {
  type SyntheticTrackPoint,
  type SyntheticWorkout,
  summarizeWorkout,
} from "../synthetic-data/synthetic-workout.ts";
import { mapMyFitnessUserId, mapMyFitnessWorkoutId } from "./map-my-fitness-expected-records.ts";

const JOULES_PER_KCAL = 4_184;

/** Ids and names of the activity types of the synthetic sports. */
export const activityTypes: Readonly<Record<SyntheticWorkout["sport"]["slug"], readonly [id: string, name: string]>> = {
  running: ["16", "Run"],
  cycling: ["11", "Bike Ride"],
  walking: ["9", "Walk"],
  strength_training: ["12", "Weight Workout"],
};

const link = (kind: string, id: string) => [{ href: `/v7.1/${kind}/${id}/`, id }];
const formatTime = (ms: number) => `${new Date(ms).toISOString().slice(0, 19)}+00:00`;

/** A workout. Aggregates lack what was not measured. */
export function toWorkout(person: SyntheticPerson, { day, workout }: DayWithWorkout) {
  const { name, slug } = workout.sport;
  return {
    name,
    start_datetime: formatTime(workout.startMs),
    start_locale_timezone: person.zone.timeZone,
    created_datetime: formatTime(workout.endMs),
    updated_datetime: formatTime(workout.endMs),
    reference_key: null,
    source: "MapMyRun iPhone",
    notes: "",
    is_verified: true,
    has_time_series: true,
    aggregates: toAggregates(workout),
    _links: {
      self: link("workout", mapMyFitnessWorkoutId(person, day)),
      activity_type: link("activity_type", activityTypes[slug][0]),
      user: link("user", mapMyFitnessUserId(person.account)),
      privacy: link("privacy_option", "0"),
    },
  };
}

/** Sums and means in SI units: energy in joules. */
function toAggregates(workout: SyntheticWorkout) {
  const totals = summarizeWorkout(workout);
  const { metresPerSecond, cadence, hasPower } = workout.sport;
  return {
    active_time_total: totals.seconds,
    elapsed_time_total: totals.seconds,
    distance_total: totals.distanceM,
    metabolic_energy_total: workout.kcal * JOULES_PER_KCAL,
    heartrate_min: Math.min(...workout.points.map(({ bpm }) => bpm)),
    heartrate_max: totals.maxBpm,
    heartrate_avg: totals.averageBpm,
    ...(metresPerSecond > 0 ? { speed_avg: metresPerSecond, speed_max: metresPerSecond, cadence_avg: cadence } : {}),
    ...(hasPower ? { power_avg: totals.averageWatts, power_max: totals.maxWatts } : {}),
  };
}

type Series = (point: SyntheticTrackPoint, workout: SyntheticWorkout) => unknown;

const movement: Readonly<Record<string, Series>> = {
  distance: ({ distanceM }) => distanceM,
  speed: (_, { sport }) => sport.metresPerSecond,
  position: ({ latitude: lat, longitude: lng, altitudeM: elevation }) => ({ lat, lng, elevation }),
  cadence: ({ cadence }) => cadence,
};

/** Series of pairs: seconds since the start, and the value. */
export function toTimeSeries(workout: SyntheticWorkout) {
  const series: Readonly<Record<string, Series>> = {
    heartrate: ({ bpm }) => bpm,
    ...(workout.sport.metresPerSecond > 0 ? movement : {}),
    ...(workout.sport.hasPower ? { power: ({ watts }: SyntheticTrackPoint) => watts } : {}),
  };
  const pairsOf = (read: Series) =>
    workout.points.map((point) => [(point.atMs - workout.startMs) / 1000, read(point, workout)]);
  return Object.fromEntries(Object.entries(series).map(([name, read]) => [name, pairsOf(read)]));
}
