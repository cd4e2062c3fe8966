import type * as z from "zod";
import { formatInstant } from "../../domain/shared/instant.ts";
import { roundOrNull } from "../nullable-numbers.ts";
import { instantOnDay, type NightOffsets } from "./clock-times.ts";
import type { activity, dailyHeartRate, person } from "./replies.ts";

/** Maps the activity of a day; the date is the date of its start. kcal and metres in both models. */
export function toActivity(day: z.output<typeof activity>) {
  return {
    calendar_date: day.start_time.slice(0, 10),
    steps: day.steps ?? null,
    distance: day.distance_from_steps ?? null,
    calories_active: day.active_calories ?? null,
    calories_total: day.calories ?? null,
  };
}

/** Maps the heart rate of a day. Its times are local; the UTC offsets come from the night. */
export function toHeartRate(day: z.output<typeof dailyHeartRate>, offsets: NightOffsets) {
  return day.heart_rate_samples.map(({ heart_rate: value, sample_time }) => ({
    timestamp: formatInstant(instantOnDay(day.date, sample_time, offsets)),
    value,
  }));
}

/** Maps the profile: height is in centimetres in both models. */
export function toProfile({ height, birthdate, gender }: z.output<typeof person>) {
  const sex = gender?.toLowerCase();
  const known = sex === "male" || sex === "female" ? sex : null;
  return {
    height: roundOrNull(height),
    birth_date: birthdate ?? null,
    gender: known,
    sex: known,
  };
}

/** Maps the weight: kg in both models. 0 means unknown. */
export const toBody = ({ weight }: z.output<typeof person>, calendar_date: string) =>
  weight ? [{ calendar_date, weight }] : [];
