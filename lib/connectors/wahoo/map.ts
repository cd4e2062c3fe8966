import type * as z from "zod";
import { formatUtc } from "../format-utc.ts";
import { roundOrNull } from "../nullable-numbers.ts";
import { zoneOffset } from "../zone-offset.ts";
import type { Summary, user, Workout } from "./replies.ts";
import { sportOfWorkoutType } from "./workout-types.ts";

/** Maps a workout and its summary: seconds, metres, m/s, kcal and W in both models. */
export function toWorkout(done: Workout, sums: Summary) {
  const startMs = Date.parse(done.starts);
  const seconds = sums.duration_total_accum ?? done.minutes * 60;
  const isMoving = (sums.distance_accum ?? 0) > 0;
  return {
    provider_id: String(done.id),
    title: done.name ?? null,
    time_start: formatUtc(startMs),
    time_end: formatUtc(startMs + seconds * 1000),
    timezone_offset: zoneOffset(sums.time_zone, startMs),
    sport: sportOfWorkoutType(done.workout_type_id, done.name),
    // Zero means not measured.
    calories: sums.calories_accum || null,
    distance: isMoving ? sums.distance_accum : null,
    total_elevation_gain: isMoving ? sums.ascent_accum : null,
    average_speed: isMoving ? sums.speed_avg : null,
    average_hr: sums.heart_rate_avg ? roundOrNull(sums.heart_rate_avg) : null,
    moving_time: roundOrNull(sums.duration_active_accum),
    average_watts: sums.power_bike_avg || sums.power_avg || null,
    weighted_average_watts: sums.power_bike_np_last || null,
  };
}

/** Maps the profile. Converts the height from metres to centimetres. */
export function toProfile({ height, birth, gender }: z.output<typeof user>) {
  const sex = gender === 0 ? "male" : gender === 1 ? "female" : null;
  return { height: height === null ? null : Math.round(height * 100), birth_date: birth || null, gender: sex, sex };
}
