import { formatLocalTime } from "../base/local-time.ts";
import type { DayWithWorkout } from "../synthetic-data/available-data.ts";
import type { SyntheticPerson } from "../synthetic-data/synthetic-person.ts";
import { type SyntheticWorkout, summarizeWorkout } from "../synthetic-data/synthetic-workout.ts";
import { tripId } from "./expected-trips.ts";

const API = "https://ridewithgps.com/api/v1";

/** Activity type, and sport and sub-sport of the FIT format. */
const activityTypes: Readonly<Record<SyntheticWorkout["sport"]["slug"], readonly [string, number, number]>> = {
  running: ["running:road", 1, 2],
  cycling: ["cycling:road", 2, 7],
  walking: ["walking:generic", 11, 0],
  strength_training: ["training:strength", 10, 20],
};

/** Formats an instant as ISO 8601 with the offset of a workout, without fractions of a second. */
const formatTime = (ms: number, offsetS: number) => formatLocalTime(ms, offsetS).replace(".000", "");

/** Converts metres per second to km/h, two decimal places. */
const toKilometresPerHour = (metresPerSecond: number) => Math.round(metresPerSecond * 360) / 100;

const addressOfTrip = (id: number) => `${API}/trips/${id}.json`;

/** Place, time and kind of a trip. */
function describeTrip(person: SyntheticPerson, { day, workout }: DayWithWorkout) {
  const [activity_type, fit_sport, fit_sub_sport] = activityTypes[workout.sport.slug];
  const id = tripId(person, day);
  return {
    id,
    url: addressOfTrip(id),
    name: workout.sport.name,
    visibility: "private",
    description: null,
    departed_at: formatTime(workout.startMs, workout.offsetS),
    time_zone: person.zone.timeZone,
    locality: "Berlin",
    administrative_area: "BE",
    country_code: "DE",
    activity_type,
    fit_sport,
    fit_sub_sport,
    is_stationary: workout.sport.metresPerSecond === 0,
    created_at: formatTime(workout.endMs, 0),
    updated_at: formatTime(workout.endMs, 0),
    device_manufacturer: "Wahoo",
    device_display_name: "ELEMNT BOLT",
  };
}

/** A trip in a list: without points and gear. */
export function toListedTrip(person: SyntheticPerson, found: DayWithWorkout) {
  const { workout } = found;
  const totals = summarizeWorkout(workout);
  const { cadence, metresPerSecond } = workout.sport;
  const speed = toKilometresPerHour(metresPerSecond);
  const bpm = workout.points.map((point) => point.bpm);
  return {
    ...describeTrip(person, found),
    distance: Math.round(totals.distanceM),
    duration: totals.seconds,
    moving_time: totals.seconds,
    elevation_gain: totals.elevationGainM,
    elevation_loss: totals.elevationGainM,
    avg_speed: speed,
    max_speed: speed,
    avg_cad: cadence || null,
    min_cad: cadence || null,
    max_cad: cadence || null,
    avg_hr: totals.averageBpm,
    min_hr: Math.min(...bpm),
    max_hr: totals.maxBpm,
    avg_watts: totals.averageWatts,
    min_watts: null,
    max_watts: totals.maxWatts,
    calories: workout.kcal,
    track_type: "out_and_back",
    terrain: "flat",
    difficulty: "easy",
  };
}

/** A trip with its track points. Points of a stationary trip have no place. */
export function toDetailedTrip(person: SyntheticPerson, found: DayWithWorkout) {
  const { points, sport } = found.workout;
  const isMoving = sport.metresPerSecond > 0;
  const track_points = points.map((point) => ({
    ...(isMoving
      ? {
          x: point.longitude,
          y: point.latitude,
          d: Math.round(point.distanceM),
          e: point.altitudeM,
          s: toKilometresPerHour(sport.metresPerSecond),
          c: point.cadence,
        }
      : {}),
    t: point.atMs / 1000,
    h: point.bpm,
    ...(sport.hasPower ? { p: point.watts } : {}),
  }));
  return { ...toListedTrip(person, found), track_points, gear: null };
}
