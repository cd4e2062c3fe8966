import * as z from "zod";

/** Response schemas of the MapMyFitness API v7.1, limited to the fields that the connector reads. */

const number = z.number().nullish();
const text = z.string().nullish();
const link = z.array(z.object({ href: z.string(), id: text }));

/** Sums and means in SI units: energy in joules. */
const aggregates = z.object({
  active_time_total: number,
  elapsed_time_total: number,
  distance_total: number,
  speed_avg: number,
  speed_max: number,
  metabolic_energy_total: number,
  steps_total: number,
  heartrate_avg: number,
  heartrate_max: number,
  power_avg: number,
  power_max: number,
});

const workout = z.object({
  name: z.string(),
  start_datetime: z.string(),
  start_locale_timezone: z.string(),
  source: text,
  has_time_series: z.boolean().nullish(),
  aggregates,
  _links: z.object({ self: link, activity_type: link.nullish() }),
});
export type Workout = z.output<typeof workout>;

export const workoutList = z.object({
  _embedded: z.object({ workouts: z.array(workout) }),
  _links: z.object({ next: link.nullish() }).nullish(),
});

const series = z.array(z.tuple([z.number(), z.number().nullable()])).nullish();
const place = z.object({ lat: number, lng: number, elevation: number });

/** Lists of pairs: seconds since the start, and the value. Each list has times of its own. */
export const timeSeries = z.object({
  distance: series,
  heartrate: series,
  speed: series,
  cadence: series,
  power: series,
  position: z.array(z.tuple([z.number(), place.nullable()])).nullish(),
});
export type TimeSeries = z.output<typeof timeSeries>;

export const workoutDetails = z.object({ time_series: z.unknown() });

export const activityType = z.object({ name: z.string() });

/** The user id in a token response. */
export const tokenOwner = z.object({ user_id: z.union([z.string(), z.number()]) });
