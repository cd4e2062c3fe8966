import * as z from "zod";

/** Response schemas of Strava API v3, limited to the fields that the connector reads. */

const number = z.number().nullish();
const text = z.string().nullish();

export const athlete = z.object({ id: z.number(), sex: text, weight: number });

/** An activity in a list; a separate request fetches its details. */
export const activityListItem = z.object({ id: z.number() });

export const activity = z.object({
  id: z.number(),
  name: text,
  device_name: text,
  sport_type: text,
  start_date: z.string(),
  start_date_local: text,
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

/** Streams by type, all of equal length. */
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

/** The user id in a token response. */
export const tokenOwner = z.object({ athlete: z.object({ id: z.number() }) });

/** The error response of the token endpoint. */
export const errorResponse = z.object({ errors: z.array(z.object({ resource: z.string() })) });

export const pushBody = z.object({
  object_type: z.string(),
  aspect_type: z.string(),
  object_id: z.number(),
  owner_id: z.number(),
  updates: z.object({ authorized: z.union([z.string(), z.boolean()]).optional() }).nullish(),
});
