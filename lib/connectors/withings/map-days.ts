import { formatUtc } from "../format-utc.ts";
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

/** Sports by Withings' category; 36 and all others map to `other`. */
const sports: Readonly<Record<number, string>> = {
  1: "walking",
  2: "running",
  3: "hiking",
  4: "skating",
  5: "bmx",
  6: "cycling",
  7: "swimming",
  8: "surfing",
  9: "kitesurfing",
  10: "windsurfing",
  11: "bodyboarding",
  12: "tennis",
  13: "table_tennis",
  14: "squash",
  15: "badminton",
  16: "strength_training",
  17: "fitness",
  18: "elliptical",
  19: "pilates",
  20: "basketball",
  21: "soccer",
  22: "football",
  23: "rugby",
  24: "volleyball",
  25: "water_polo",
  26: "horse_riding",
  27: "golf",
  28: "yoga",
  29: "dancing",
  30: "boxing",
  31: "fencing",
  32: "wrestling",
  33: "martial_arts",
  34: "skiing",
  35: "snowboarding",
  187: "rowing",
  188: "zumba",
  191: "baseball",
  192: "handball",
  193: "hockey",
  194: "ice_hockey",
  195: "climbing",
  196: "ice_skating",
  272: "multisport",
  306: "indoor_walking",
  307: "indoor_running",
  308: "indoor_cycling",
  550: "hiit",
  552: "stretching",
  566: "nordic_walking",
};

/** A measured value, or the manual one if nothing was measured, which is null or zero. */
const measuredOr = (value: number | null | undefined, manual: number | null | undefined) =>
  value || (manual ?? value ?? null);

/** Maps a workout: metres and kcal in both models. Manual values apply if nothing was measured. */
export function toWorkout({ id, category, timezone, startdate, enddate, data }: Workout) {
  return {
    provider_id: String(id),
    time_start: formatUtc(startdate * 1000),
    time_end: formatUtc(enddate * 1000),
    timezone_offset: zoneOffset(timezone, startdate * 1000),
    sport: parseSport(sports[category] ?? "other"),
    calories: measuredOr(data.calories, data.manual_calories),
    distance: measuredOr(data.distance, data.manual_distance),
    steps: data.steps ?? null,
    average_hr: roundOrNull(data.hr_average),
    max_hr: roundOrNull(data.hr_max),
  };
}
