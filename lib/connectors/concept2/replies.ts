import * as z from "zod";

/** Response schemas of Concept2's Logbook API v1, limited to the fields that the connector reads. */

const number = z.number().nullish();
const text = z.string().nullish();

export const user = z.object({
  data: z.object({ id: z.number(), gender: text, dob: text, weight: number }),
});

const interval = z.object({ time: number, rest_time: number, distance: number });

/** A result. Times are tenths of a second, distances metres; `date` and `date_utc` are the end of the workout. */
const result = z.object({
  id: z.number(),
  type: text,
  date: z.string(),
  date_utc: text,
  time: z.number(),
  rest_time: number,
  distance: number,
  calories_total: number,
  stroke_data: z.boolean().nullish(),
  heart_rate: z.object({ average: number, max: number }).nullish(),
  workout: z.object({ intervals: z.array(interval).nullish() }).nullish(),
});
export type Result = z.output<typeof result>;

/** A page of results. Its links are not read: they have the scheme `http`. */
export const results = z.object({
  data: z.array(result),
  meta: z.object({ pagination: z.object({ total: z.number(), per_page: z.number() }) }),
});

export const oneResult = z.object({ data: result });

/** Strokes: tenths of a second and decimetres since the start of the interval. */
export const strokes = z.object({
  data: z.array(z.object({ t: z.number(), d: number, spm: number, hr: number })),
});
export type Stroke = z.output<typeof strokes>["data"][number];

/** A push with a result, or with the id of a deleted one. */
export const pushBody = z.object({
  data: z.object({ type: z.string(), result: z.object({ id: z.number(), user_id: z.number() }).optional() }),
});
