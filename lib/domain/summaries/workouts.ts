import * as z from "zod";
import { formatInstant } from "../shared/instant.ts";
import { localDate, parseSession } from "./session.ts";
import { dateField, instantField, quantity, shortText, timezoneOffset, whole } from "./summary-fields.ts";
import { defineSummaryKind } from "./summary-kind.ts";

const metres = (description: string) => quantity(`${description}, m`, 0, 10_000_000);
const altitude = (description: string) => quantity(`${description}, m above sea level`, -12_000, 50_000);
const speed = (description: string) => quantity(`${description}, m/s`, 0, 400);
const watts = (description: string) => quantity(`${description}, W`, 0, 10_000);
const bpm = (description: string) => whole(`${description}, bpm`, 10, 400);
const polyline = z.string().nullable().default(null).describe("Encoded polyline");

/** A sport. */
export const sport = z.object({
  id: z.int().default(0).describe("Number of the sport"),
  name: z.string().min(1).max(100).describe("Name of the sport for people"),
  slug: z.string().min(1).max(100).describe("Name of the sport for programs"),
});

const shared = {
  title: shortText("Title"),
  timezone_offset: timezoneOffset,
  average_hr: bpm("Mean heart rate"),
  max_hr: bpm("Highest heart rate"),
  distance: metres("Distance"),
  time_start: instantField("Start"),
  time_end: instantField("End"),
  calories: quantity("Energy, kcal", 0, 50_000),
  sport: sport.default({ id: 0, name: "Unknown", slug: "unknown" }).describe("Sport"),
  hr_zones: z
    .array(z.int().min(0))
    .length(6)
    .nullable()
    .default(null)
    .describe("Seconds below 50, in 50-60, 60-70, 70-80, 80-90 and above 90 % of the maximum heart rate"),
  moving_time: whole("Time in motion, seconds", 0, 7 * 86_400),
  total_elevation_gain: metres("Elevation gain"),
  elev_high: altitude("Highest point"),
  elev_low: altitude("Lowest point"),
  average_speed: speed("Mean speed"),
  max_speed: speed("Highest speed"),
  average_watts: watts("Mean power"),
  device_watts: watts("Power measured by the device"),
  max_watts: watts("Highest power"),
  weighted_average_watts: watts("Weighted mean power"),
  steps: whole("Steps, count", 0, 1_000_000),
  map: z.object({ polyline, summary_polyline: polyline }).nullable().default(null).describe("Encoded polylines"),
  provider_id: z.string().min(1).max(256).describe("The provider's id of the workout"),
};

/** A workout: one per source and provider's id. */
export const workouts = defineSummaryKind({
  name: "workouts",
  days: { begin: "time_start" },
  identity: ["provider_id"],
  ingest: z.object({
    ...shared,
    calendar_date: dateField("Defaults to the day of the start in the user's local time").optional(),
  }),
  wireFields: { calendar_date: dateField("Day of the start in the user's local time"), ...shared },
  prepare: (given, { bounds }) => {
    const session = parseSession(given, ["time_start", "time_end"], given.timezone_offset);
    if ("reason" in session) return session;
    const fields = {
      ...given,
      calendar_date: given.calendar_date ?? localDate(session.startMs, session.offsetS, bounds.timeZone),
      time_start: formatInstant(session.startMs),
      time_end: formatInstant(session.endMs),
      timezone_offset: session.offsetS,
    };
    return { key: given.provider_id, providerId: given.provider_id, fields, span: session };
  },
});
