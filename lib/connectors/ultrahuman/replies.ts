import * as z from "zod";

/** Response schemas of Ultrahuman's partner API v1, limited to the fields that the connector reads. */

const values = z.array(z.object({ value: z.number().nullable(), timestamp: z.number() }));

export const series = z.object({ values });

export const restingHeartRate = z.object({ avg: z.number().nullish() });

export const singleValue = z.object({ value: z.number().nullish(), day_start_timestamp: z.number().nullish() });

export const sleep = z.object({
  bedtime_start: z.number(),
  bedtime_end: z.number(),
  score: z.object({ score: z.number().nullish() }).nullish(),
  quick_metrics: z.array(z.object({ type: z.string(), value: z.number() })).default([]),
  sleep_stages: z.array(z.object({ type: z.string(), stage_time: z.number() })).default([]),
  sleep_graph: z
    .object({ data: z.array(z.object({ start: z.number(), end: z.number(), type: z.string() })) })
    .nullish(),
});
export type Sleep = z.output<typeof sleep>;

/** All metrics of a day; each type has its own schema. */
export const metrics = z.object({
  data: z.object({ metric_data: z.array(z.object({ type: z.string(), object: z.unknown() })) }),
});

export const userInfo = z.object({ data: z.object({ user_id: z.union([z.string(), z.number()]) }) });
