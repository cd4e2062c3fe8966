import { formatInstant } from "../../domain/shared/instant.ts";
import { roundOrNull, secondsToMinutes } from "../nullable-numbers.ts";
import { parseSport } from "../parse-sport.ts";
import { padDate } from "../window-dates.ts";
import { zoneOffset } from "../zone-offset.ts";
import type { Activity, Workout } from "./replies.ts";

/** Maps the activity of a day. Converts durations from seconds to minutes. */
export function toActivity(day: Activity) {
  const { hr_average, hr_min, hr_max } = day;
  const heartRate = { avg_bpm: hr_average ?? null, min_bpm: hr_min ?? null, max_bpm: hr_max ?? null };
  return {
    calendar_date: padDate(day.date),
    time_zone: day.timezone ?? null,
    steps: day.steps ?? null,
    distance: day.distance ?? null,
    daily_movement: day.distance ?? null,
    calories_active: day.calories ?? null,
    calories_total: day.totalcalories ?? null,
    low: secondsToMinutes(day.soft),
    medium: secondsToMinutes(day.moderate),
    high: secondsToMinutes(day.intense),
    heart_rate:
      (hr_average ?? hr_min ?? hr_max) == null ? null : { ...heartRate, resting_bpm: null, avg_walking_bpm: null },
  };
}

/** Sports by Withings' category; all others map to `other`. */
const sports: Readonly<Record<number, string>> = {
  1: "walking",
  2: "running",
  3: "hiking",
  4: "skating",
  5: "bmx",
  6: "cycling",
  7: "swimming",
  8: "surfing",
  12: "tennis",
  16: "strength_training",
  18: "elliptical",
  19: "pilates",
  20: "basketball",
  21: "soccer",
  28: "yoga",
  34: "skiing",
  35: "snowboarding",
};

/** Maps a workout: metres and kcal in both models. Manual values apply if nothing was measured. */
export function toWorkout({ id, category, timezone, startdate, enddate, data }: Workout) {
  return {
    provider_id: String(id),
    time_start: formatInstant(startdate * 1000),
    time_end: formatInstant(enddate * 1000),
    timezone_offset: zoneOffset(timezone, startdate * 1000),
    sport: parseSport(sports[category] ?? "other"),
    calories: data.calories ?? data.manual_calories ?? null,
    distance: data.distance ?? data.manual_distance ?? null,
    steps: data.steps ?? null,
    average_hr: roundOrNull(data.hr_average),
    max_hr: roundOrNull(data.hr_max),
  };
}
