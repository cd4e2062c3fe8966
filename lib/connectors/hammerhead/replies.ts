import * as z from "zod";

/** Response schemas of Hammerhead API v1, limited to the fields that the connector reads. */

const number = z.number().nullish();
const text = z.string().nullish();

/** An activity in a list; its upload is its only time. */
export const activities = z.object({
  totalPages: z.number(),
  data: z.array(z.object({ id: z.string(), createdAt: z.string() })),
});

export const activity = z.object({ id: z.string(), name: text, activityType: text, polyline: text });
export type Activity = z.output<typeof activity>;

/** The session of a FIT file: metres, seconds, m/s, W and kcal. */
export const session = z.object({
  start_time: z.date(),
  total_elapsed_time: z.number(),
  total_timer_time: number,
  total_distance: number,
  total_calories: number,
  total_ascent: number,
  avg_speed: number,
  enhanced_avg_speed: number,
  max_speed: number,
  enhanced_max_speed: number,
  avg_heart_rate: number,
  max_heart_rate: number,
  avg_power: number,
  max_power: number,
});
export type Session = z.output<typeof session>;

export const tokenOwner = z.object({ user_id: z.union([z.string(), z.number()]) });
