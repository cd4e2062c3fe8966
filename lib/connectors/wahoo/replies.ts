import * as z from "zod";
import { jsonTextSchema } from "../json-text.ts";

/** Response schemas of Wahoo Cloud API v1, limited to the fields that the connector reads. Numbers are strings. */

const numericText = z
  .union([z.string(), z.number()])
  .nullish()
  .transform((value) => (value == null || value === "" || Number.isNaN(Number(value)) ? null : Number(value)));

export const user = z.object({
  id: z.number(),
  height: numericText,
  birth: z.string().nullish(),
  gender: z.number().nullish(),
});

const summary = z.object({
  ascent_accum: numericText,
  calories_accum: numericText,
  distance_accum: numericText,
  duration_active_accum: numericText,
  duration_total_accum: numericText,
  heart_rate_avg: numericText,
  power_avg: numericText,
  power_bike_avg: numericText,
  power_bike_np_last: numericText,
  speed_avg: numericText,
  time_zone: z.string().nullish(),
  file: z.object({ url: z.string().nullish() }).nullish(),
});
export type Summary = z.output<typeof summary>;

const workoutWithoutSummary = z.object({
  id: z.number(),
  starts: z.string(),
  minutes: z.number(),
  name: z.string().nullish(),
  workout_type_id: z.number().nullish(),
});

/** A workout; a planned workout has no summary. */
export const workout = workoutWithoutSummary.extend({ workout_summary: summary.nullish() });
export type Workout = z.output<typeof workout>;

export const workouts = z.object({ workouts: z.array(workout), total: z.number() });

/** The token that authenticates a push body. */
export const pushToken = jsonTextSchema(z.object({ webhook_token: z.string() }));

export const pushBody = z.object({
  user: z.object({ id: z.number() }),
  workout_summary: z.object({ workout: z.object({ id: z.number() }) }).optional(),
});
