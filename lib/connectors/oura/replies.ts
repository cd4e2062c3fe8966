import * as z from "zod";

/** Response schemas of Oura API v2 (user collection), limited to the fields that the connector reads. */

const number = z.number().nullish();

/** A series of values at a fixed interval, seconds. */
const series = z
  .object({ interval: z.number().positive(), items: z.array(z.number().nullable()), timestamp: z.string() })
  .nullish();

export const sleepPeriod = z.object({
  id: z.string(),
  day: z.string(),
  type: z.string().nullish(),
  bedtime_start: z.string(),
  bedtime_end: z.string(),
  time_in_bed: number,
  total_sleep_duration: number,
  awake_time: number,
  light_sleep_duration: number,
  rem_sleep_duration: number,
  deep_sleep_duration: number,
  latency: number,
  efficiency: number,
  average_heart_rate: number,
  lowest_heart_rate: number,
  average_hrv: number,
  average_breath: number,
  heart_rate: series,
  hrv: series,
  sleep_phase_5_min: z.string().nullish(),
});
export type SleepPeriod = z.output<typeof sleepPeriod>;
export type Series = z.output<typeof series>;

export const dailySleep = z.object({ day: z.string(), score: number });

export const dailyReadiness = z.object({
  day: z.string(),
  timestamp: z.string(),
  score: number,
  temperature_deviation: number,
});
export type DailyReadiness = z.output<typeof dailyReadiness>;

export const dailyActivity = z.object({
  day: z.string(),
  steps: number,
  active_calories: number,
  total_calories: number,
  equivalent_walking_distance: number,
  low_activity_time: number,
  medium_activity_time: number,
  high_activity_time: number,
});

export const heartRate = z.object({ bpm: z.number(), timestamp: z.string() });

export const workout = z.object({
  id: z.string(),
  activity: z.string(),
  label: z.string().nullish(),
  calories: number,
  distance: number,
  start_datetime: z.string(),
  end_datetime: z.string(),
});

export const dailySpo2 = z.object({ day: z.string(), spo2_percentage: z.object({ average: number }).nullish() });

export const vo2Max = z.object({ timestamp: z.string(), vo2_max: number });

export const personalInfo = z.object({ id: z.string(), height: number, biological_sex: z.string().nullish() });

/** The date of a document of any collection. */
export const datedDocument = z.object({ day: z.iso.date() });

export const pushBody = z.object({
  event_type: z.string(),
  data_type: z.string(),
  object_id: z.string(),
  user_id: z.string(),
});

/** A page of a collection. */
export const pageSchema = <S extends z.ZodType>(item: S) =>
  z.object({ data: z.array(item), next_token: z.string().nullish() });
