import * as z from "zod";
import { jsonText } from "../json-text.ts";

/** Response schemas of Wahoo Cloud API v1, limited to the fields that the connector reads. Numbers are strings. */

const text = z
  .union([z.string(), z.number()])
  .nullish()
  .transform((value) => (value == null || value === "" || Number.isNaN(Number(value)) ? null : Number(value)));

export const user = z.object({
  id: z.number(),
  height: text,
  birth: z.string().nullish(),
  gender: z.number().nullish(),
});

export const summary = z.object({
  ascent_accum: text,
  calories_accum: text,
  distance_accum: text,
  duration_active_accum: text,
  duration_total_accum: text,
  heart_rate_avg: text,
  power_avg: text,
  power_bike_avg: text,
  power_bike_np_last: text,
  speed_avg: text,
  time_zone: z.string().nullish(),
  file: z.object({ url: z.string().nullish() }).nullish(),
});
export type Summary = z.output<typeof summary>;

const bareWorkout = z.object({
  id: z.number(),
  starts: z.string(),
  minutes: z.number(),
  name: z.string().nullish(),
  workout_type_id: z.number().nullish(),
});

/** A workout; a planned workout has no summary. */
export const workout = bareWorkout.extend({ workout_summary: summary.nullish() });
export type Workout = z.output<typeof workout>;

export const workouts = z.object({ workouts: z.array(workout), total: z.number() });

/** The token that authenticates a push body. */
export const proof = jsonText(z.object({ webhook_token: z.string() }));

export const pushed = z.object({
  user: z.object({ id: z.number() }),
  workout_summary: z.object({ workout: z.object({ id: z.number() }) }).optional(),
});
