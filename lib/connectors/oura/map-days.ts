import type * as z from "zod";
import { midnightOf } from "../format-utc.ts";
import { secondsToMinutes } from "../nullable-numbers.ts";
import { parseSport } from "../parse-sport.ts";
import type { dailyActivity, dailySpo2, personalInfo, vo2Max, workout } from "./replies.ts";

/** Maps the activity of a day. Converts durations from seconds to minutes. */
export function toActivity(day: z.output<typeof dailyActivity>) {
  return {
    calendar_date: day.day,
    steps: day.steps ?? null,
    calories_active: day.active_calories ?? null,
    calories_total: day.total_calories ?? null,
    distance: day.equivalent_walking_distance ?? null,
    daily_movement: day.equivalent_walking_distance ?? null,
    low: secondsToMinutes(day.low_activity_time),
    medium: secondsToMinutes(day.medium_activity_time),
    high: secondsToMinutes(day.high_activity_time),
  };
}

/** Maps a workout: kcal and metres in both models. */
export function toWorkout(done: z.output<typeof workout>) {
  return {
    provider_id: done.id,
    title: done.label ?? null,
    time_start: done.start_datetime,
    time_end: done.end_datetime,
    calories: done.calories ?? null,
    distance: done.distance ?? null,
    sport: parseSport(done.activity),
  };
}

/** Maps the oxygen saturation of a night. Only the date is known. */
export function toBloodOxygen({ day, spo2_percentage }: z.output<typeof dailySpo2>) {
  const value = spo2_percentage?.average;
  return value == null ? [] : [{ ...midnightOf(day), value }];
}

/** Maps an estimate of VO2 max. */
export function toVo2Max({ timestamp, vo2_max: value }: z.output<typeof vo2Max>) {
  return value == null ? [] : [{ timestamp, value }];
}

/** Maps the profile. Converts the height from metres to centimetres. */
export function toProfile({ height, biological_sex: sex }: z.output<typeof personalInfo>) {
  const known = sex === "male" || sex === "female";
  return { height: height == null ? null : Math.round(height * 100), sex: known ? sex : null };
}
