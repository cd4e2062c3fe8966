import * as z from "zod";

/** Response schemas of the Ride with GPS API v1, limited to the fields that the connector reads. */

const number = z.number().nullish();
const text = z.string().nullish();

/** A trip in a list. The list is in the order of the last updates. */
const listedTrip = z.object({ id: z.number(), departed_at: z.string(), updated_at: text });

export const tripList = z.object({
  trips: z.array(listedTrip),
  meta: z.object({ pagination: z.object({ next_page_url: text }) }),
});

const trackPoint = z.object({
  t: number,
  x: number,
  y: number,
  d: number,
  e: number,
  s: number,
  T: number,
  h: number,
  c: number,
  p: number,
});
export type TrackPoint = z.output<typeof trackPoint>;

export const trip = z.object({
  id: z.number(),
  name: text,
  departed_at: z.string(),
  time_zone: text,
  activity_type: text,
  duration: z.number(),
  moving_time: number,
  distance: number,
  elevation_gain: number,
  avg_speed: number,
  max_speed: number,
  avg_hr: number,
  max_hr: number,
  avg_watts: number,
  max_watts: number,
  calories: number,
  device_display_name: text,
  track_points: z.array(trackPoint).nullish(),
});
export type Trip = z.output<typeof trip>;

export const oneTrip = z.object({ trip: z.unknown() });

/** The user id in a token response. */
export const tokenOwner = z.object({ user_id: z.union([z.number(), z.string()]) });

export const pushBody = z.object({
  notifications: z.array(
    z.object({ user_id: z.number(), item_type: z.string(), item_id: z.number(), action: z.string() }),
  ),
});
