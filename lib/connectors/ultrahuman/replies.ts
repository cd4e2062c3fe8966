import * as z from "zod";

/** Response schemas of Ultrahuman's partner API v1, limited to the fields that the connector reads. */

const number = z.number().nullish();

/** `total` is the sum of a day, of which a response may list some values only. */
export const series = z.object({
  values: z.array(z.object({ value: z.number().nullable(), timestamp: z.number() })).default([]),
  total: number,
});

export const restingHeartRate = z.object({ avg: number });

export const singleValue = z.object({ value: number, day_start_timestamp: number });

const minutes = z.object({ minutes: number }).nullish();

/** A night in either documented form: lists of metrics and stages in seconds, or named members in minutes. */
export const sleep = z.object({
  bedtime_start: z.number(),
  bedtime_end: z.number(),
  score: z.object({ score: number }).nullish(),
  quick_metrics: z.array(z.object({ type: z.string(), value: number })).default([]),
  sleep_stages: z.array(z.object({ type: z.string(), stage_time: number })).default([]),
  sleep_graph: z
    .object({ data: z.array(z.object({ start: z.number(), end: z.number(), type: z.string() })) })
    .nullish(),
  sleep_score: z.object({ score: number }).nullish(),
  total_sleep: minutes,
  time_in_bed: minutes,
  deep_sleep: minutes,
  light_sleep: minutes,
  rem_sleep: minutes,
  awake: minutes,
  sleep_efficiency: z.object({ percentage: number }).nullish(),
  temperature_deviation: z.object({ value: number }).nullish(),
  night_rhr: restingHeartRate.nullish(),
});
export type Sleep = z.output<typeof sleep>;
export type StageType = "deep_sleep" | "light_sleep" | "rem_sleep" | "awake";

const metricList = z.array(z.object({ type: z.string(), object: z.unknown() }));

/** All metrics of a day, in a list or by date; each type has its own schema. */
export const metrics = z.object({
  data: z
    .object({
      metric_data: metricList.nullish(),
      metrics: z.record(z.string(), metricList).nullish(),
      latest_time_zone: z.string().nullish(),
    })
    .refine(({ metric_data, metrics: byDate }) => (metric_data ?? byDate) != null),
});

export const userInfo = z.object({ data: z.object({ user_id: z.union([z.string(), z.number()]) }) });
