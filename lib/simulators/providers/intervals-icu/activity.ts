import { formatWallTime } from "../base/local-time.ts";
import type { DayWithWorkout } from "../synthetic-data/available-data.ts";
import type { SyntheticPerson } from "../synthetic-data/synthetic-person.ts";
import {
  type SyntheticTrackPoint,
  type SyntheticWorkout,
  summarizeWorkout,
} from "../synthetic-data/synthetic-workout.ts";
import { activityId, athleteId } from "./expected-diary.ts";

const activityTypes: Readonly<Record<SyntheticWorkout["sport"]["slug"], string>> = {
  running: "Run",
  cycling: "Ride",
  walking: "Walk",
  strength_training: "WeightTraining",
};

/** Formats an instant as UTC without fractions of a second. */
const formatTime = (ms: number) => `${new Date(ms).toISOString().slice(0, 19)}Z`;

/** An activity. What was not measured is null. */
export function toActivity(person: SyntheticPerson, { day, workout }: DayWithWorkout) {
  const totals = summarizeWorkout(workout);
  const { metresPerSecond, cadence, hasPower, name, slug } = workout.sport;
  const moved = <Value>(value: Value) => (metresPerSecond > 0 ? value : null);
  return {
    id: activityId(person, day),
    icu_athlete_id: athleteId(person.account),
    name,
    type: activityTypes[slug],
    source: "UPLOAD",
    external_id: null,
    start_date: formatTime(workout.startMs),
    start_date_local: formatWallTime(workout.startMs, workout.offsetS).slice(0, 19),
    timezone: person.zone.timeZone,
    created: formatTime(workout.endMs),
    analyzed: formatTime(workout.endMs),
    device_name: "Wahoo ELEMNT BOLT",
    trainer: metresPerSecond === 0,
    distance: moved(totals.distanceM),
    moving_time: totals.seconds,
    elapsed_time: totals.seconds,
    total_elevation_gain: moved(totals.elevationGainM),
    max_altitude: moved(totals.highestM),
    min_altitude: moved(totals.lowestM),
    average_speed: moved(metresPerSecond),
    max_speed: moved(metresPerSecond),
    has_heartrate: true,
    average_heartrate: totals.averageBpm,
    max_heartrate: totals.maxBpm,
    average_cadence: moved(cadence),
    device_watts: hasPower,
    icu_average_watts: totals.averageWatts,
    icu_weighted_avg_watts: totals.averageWatts,
    calories: workout.kcal,
    stream_types: Object.keys(columns),
  };
}

const columns: Readonly<Record<string, (point: SyntheticTrackPoint, workout: SyntheticWorkout) => number>> = {
  time: ({ atMs }, { startMs }) => (atMs - startMs) / 1000,
  heartrate: ({ bpm }) => bpm,
  distance: ({ distanceM }) => distanceM,
  altitude: ({ altitudeM }) => altitudeM,
  latlng: ({ latitude }) => latitude,
  cadence: ({ cadence }) => cadence,
  watts: ({ watts }) => watts,
  velocity_smooth: (_, { sport }) => sport.metresPerSecond,
};

/** Streams of equal length, a list in which latitudes are `data` and longitudes `data2`. */
export function toStreams(workout: SyntheticWorkout, types: readonly string[]) {
  const isMoving = workout.sport.metresPerSecond > 0;
  const has = (type: string) =>
    type === "watts" ? workout.sport.hasPower : /^(time|heartrate)$/.test(type) || isMoving;
  const fixed = { name: null, valueTypeIsArray: false, anomalies: null, custom: false, allNull: false };
  return Object.entries(columns)
    .filter(([type]) => types.includes(type) && has(type))
    .map(([type, read]) => ({
      type,
      data: workout.points.map((point) => read(point, workout)),
      data2: type === "latlng" ? workout.points.map(({ longitude }) => longitude) : null,
      ...fixed,
    }));
}
