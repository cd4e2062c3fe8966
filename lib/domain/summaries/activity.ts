import * as z from "zod";
import {
  dateField,
  midnightOfDate,
  quantity,
  shortText,
  timezoneOffset,
  wheelchairUse,
  whole,
} from "./summary-fields.ts";
import { defineSummaryKind, prepareDailySummary } from "./summary-kind.ts";

const bpm = (description: string) => quantity(`${description}, bpm`, 10, 400);
const minutes = (description: string) => quantity(`${description}, minutes`, 0, 1_500);

const heartRate = z.object({
  avg_bpm: bpm("Mean of the day"),
  min_bpm: bpm("Lowest of the day"),
  max_bpm: bpm("Highest of the day"),
  resting_bpm: bpm("At rest"),
  avg_walking_bpm: bpm("Mean while walking"),
});

const fields = {
  calendar_date: dateField("Day in the user's local time"),
  calories_total: quantity("Energy of the day including basal metabolism, kcal", 0, 50_000),
  calories_active: quantity("Energy of movement, kcal", 0, 50_000),
  steps: whole("Steps, count", 0, 500_000),
  daily_movement: quantity("Movement as walking distance, m", 0, 1_000_000).meta({ deprecated: true }),
  distance: quantity("Distance, m", 0, 1_000_000),
  low: minutes("Light activity"),
  medium: minutes("Moderate activity"),
  high: minutes("Vigorous activity"),
  floors_climbed: whole("Floors climbed, count", 0, 10_000),
  time_zone: shortText("IANA time zone"),
  timezone_offset: timezoneOffset,
  heart_rate: heartRate.nullable().default(null).describe("Heart rate of the day"),
  wheelchair_use: wheelchairUse,
  wheelchair_push: whole("Pushes, count", 0, 500_000),
};

/** The activity of one day: one summary per day and source. */
export const activity = defineSummaryKind({
  name: "activity",
  days: { begin: "date", keyDaysOff: 0 },
  isDerivable: true,
  ingest: z.object(fields),
  wireFields: { date: midnightOfDate, ...fields },
  prepare: prepareDailySummary,
});
