import * as z from "zod";

/** Response schemas of the Intervals.icu API, limited to the fields that the connector reads. */

const number = z.number().nullish();
const text = z.string().nullish();
const flag = z.boolean().nullish();

/** An activity. Those of Strava lack everything but the local start. */
export const activity = z.object({
  id: z.string(),
  name: text,
  type: text,
  start_date: text,
  start_date_local: text,
  timezone: text,
  device_name: text,
  elapsed_time: number,
  moving_time: number,
  distance: number,
  total_elevation_gain: number,
  max_altitude: number,
  min_altitude: number,
  average_speed: number,
  max_speed: number,
  average_heartrate: number,
  max_heartrate: number,
  icu_average_watts: number,
  icu_weighted_avg_watts: number,
  calories: number,
});
export type Activity = z.output<typeof activity>;

const values = z.array(z.number().nullable()).nullish();

/** Streams of an activity, of equal length. `data2` has the longitudes of `latlng`. */
export const streams = z.array(z.object({ type: z.string(), data: values, data2: values }));
export type Streams = z.output<typeof streams>;

/** The wellness of a local date. `tempWeight` and `tempRestingHR` mark values of an earlier date. */
export const wellness = z.object({
  id: z.string(),
  steps: number,
  restingHR: number,
  tempRestingHR: flag,
  weight: number,
  tempWeight: flag,
  bodyFat: number,
  abdomen: number,
  hrv: number,
  respiration: number,
  spO2: number,
  vo2max: number,
});
export type Wellness = z.output<typeof wellness>;

/** The user id in a token response. */
export const tokenOwner = z.object({ athlete: z.object({ id: z.string() }) });

/** An error response of the token endpoint: 404 for an unknown application. */
export const errorResponse = z.object({ status: z.number(), error: z.string() });

export const pushSecret = z.object({ secret: z.string() });

export const pushBody = z.object({
  events: z.array(
    z.object({
      athlete_id: z.string(),
      type: z.string(),
      activity: z.object({ id: z.union([z.string(), z.number()]) }).nullish(),
    }),
  ),
});
