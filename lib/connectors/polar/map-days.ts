import type * as z from "zod";
import { formatInstant } from "../../domain/timeseries/instant.ts";
import { instantOfDay, type NightOffsets } from "./clock-times.ts";
import type { activity, beatsOfDay, person } from "./replies.ts";

/** The activity of a day, whose date is that of its begin; energy is kcal and distance metres on both sides. */
export function toActivity(day: z.output<typeof activity>) {
  return {
    calendar_date: day.start_time.slice(0, 10),
    steps: day.steps ?? null,
    distance: day.distance_from_steps ?? null,
    calories_active: day.active_calories ?? null,
    calories_total: day.calories ?? null,
  };
}

/** The heart rate of a day, whose times are those of the user's clocks alone; the night tells how far off they were. */
export function toHeartRate(day: z.output<typeof beatsOfDay>, offsets: NightOffsets) {
  return day.heart_rate_samples.map(({ heart_rate: value, sample_time }) => ({
    timestamp: formatInstant(instantOfDay(day.date, sample_time, offsets)),
    value,
  }));
}

/** The person: height is centimetres on both sides. */
export function toProfile({ height, birthdate, gender }: z.output<typeof person>) {
  const sex = gender?.toLowerCase();
  const known = sex === "male" || sex === "female" ? sex : null;
  return {
    height: height == null ? null : Math.round(height),
    birth_date: birthdate ?? null,
    gender: known,
    sex: known,
  };
}

/** What the person weighs, kg on both sides; 0 stands for nothing. */
export const toBody = ({ weight }: z.output<typeof person>, calendar_date: string) =>
  weight ? [{ calendar_date, weight }] : [];
