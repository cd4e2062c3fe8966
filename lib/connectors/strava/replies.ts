import * as z from "zod";

/** What Strava answers (API v3), as far as it is read. */

const number = z.number().nullish();
const text = z.string().nullish();

export const athlete = z.object({ id: z.number(), sex: text, weight: number });

/** An activity in a list; all else is read of each by itself. */
export const listed = z.object({ id: z.number() });

export const activity = z.object({
  id: z.number(),
  name: text,
  sport_type: text,
  start_date: z.string(),
  start_date_local: z.string(),
  utc_offset: number,
  elapsed_time: z.number(),
  moving_time: number,
  distance: number,
  calories: number,
  total_elevation_gain: number,
  elev_high: number,
  elev_low: number,
  average_speed: number,
  max_speed: number,
  average_heartrate: number,
  max_heartrate: number,
  average_watts: number,
  max_watts: number,
  weighted_average_watts: number,
  map: z.object({ polyline: text, summary_polyline: text }).nullish(),
});
export type Activity = z.output<typeof activity>;

const numbers = z.object({ data: z.array(z.number().nullable()) }).optional();

/** By kind, each as long as the others. */
export const streams = z.object({
  time: z.object({ data: z.array(z.number()) }).optional(),
  heartrate: numbers,
  cadence: numbers,
  watts: numbers,
  altitude: numbers,
  velocity_smooth: numbers,
  distance: numbers,
  temp: numbers,
  latlng: z.object({ data: z.array(z.tuple([z.number(), z.number()]).nullable()) }).optional(),
});
export type Streams = z.output<typeof streams>;

/** Who granted access, in the reply to a code. */
export const granted = z.object({ athlete: z.object({ id: z.number() }) });

/** Why there are no tokens. */
export const refusal = z.object({ errors: z.array(z.object({ resource: z.string() })) });

export const push = z.object({
  object_type: z.string(),
  aspect_type: z.string(),
  object_id: z.number(),
  owner_id: z.number(),
  updates: z.object({ authorized: z.union([z.string(), z.boolean()]).optional() }).nullish(),
});
