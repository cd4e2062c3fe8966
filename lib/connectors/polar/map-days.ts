import type * as z from "zod";
import { parseInstant } from "../../domain/shared/instant.ts";
import { formatUtc } from "../format-utc.ts";
import { roundOrNull } from "../nullable-numbers.ts";
import { instantOnDay, type NightOffsets } from "./clock-times.ts";
import type { Activity, dailyHeartRate, person } from "./replies.ts";

/**
 * The date of a day. Its times are in UTC, as documented, or local; the middle of a day has the same date in both, in all
 * time zones up to 12 hours from UTC.
 */
function dateOf({ start_time, end_time, samples }: Activity): string {
  const [startMs, endMs] = [start_time, end_time].map((time) => parseInstant(`${time}Z`)?.ms);
  const middle = startMs === undefined || endMs === undefined ? start_time : formatUtc((startMs + endMs) / 2);
  return samples?.date ?? middle.slice(0, 10);
}

/** Maps the activity of a day. kcal and metres in both models. */
export function toActivity(day: Activity) {
  return {
    calendar_date: dateOf(day),
    steps: day.steps ?? null,
    distance: day.distance_from_steps ?? null,
    calories_active: day.active_calories ?? null,
    calories_total: day.calories ?? null,
  };
}

/** Maps the heart rate of a day. Its times are local; the UTC offsets come from the night. */
export function toHeartRate(day: z.output<typeof dailyHeartRate>, offsets: NightOffsets) {
  return day.heart_rate_samples.map(({ heart_rate: value, sample_time }) => ({
    timestamp: formatUtc(instantOnDay(day.date, sample_time, offsets)),
    value,
  }));
}

/** Maps the profile: height is in centimetres in both models; empty without any detail. */
export function toProfile({ height, birthdate, gender }: z.output<typeof person>) {
  if ((height ?? birthdate ?? gender) == null) return [];
  const sex = gender?.toLowerCase();
  const known = sex === "male" || sex === "female" ? sex : null;
  return [{ height: roundOrNull(height), birth_date: birthdate ?? null, gender: known, sex: known }];
}

/** Maps the weight: kg in both models. 0 means unknown. */
export const toBody = ({ weight }: z.output<typeof person>, calendar_date: string) =>
  weight ? [{ calendar_date, weight }] : [];
