import * as z from "zod";
import { DAY_MS, MINUTE_MS } from "../../domain/shared/durations.ts";

/** Length of a counter bucket. All intervals are multiples of it. */
export const METRIC_BUCKET_MS = 5 * MINUTE_MS;

/** Length of each interval and the period that a response covers. */
export const metricIntervals = {
  "5m": { lengthMs: 5 * MINUTE_MS, reachMs: DAY_MS },
  "15m": { lengthMs: 15 * MINUTE_MS, reachMs: 3 * DAY_MS },
  "1h": { lengthMs: 60 * MINUTE_MS, reachMs: 14 * DAY_MS },
  "1d": { lengthMs: DAY_MS, reachMs: 30 * DAY_MS },
} as const;
export type MetricInterval = keyof typeof metricIntervals;

/** Attempt counts of a team in one bucket, by outcome. */
export interface AttemptCount {
  /** Start of the bucket, epoch ms. */
  readonly fromMs: number;
  readonly delivered: number;
  readonly failed: number;
}

/** A matrix as Prometheus answers range queries: instants in epoch seconds, numbers as text. */
export const wireMetric = z
  .object({
    status: z.literal("success"),
    data: z.object({
      resultType: z.literal("matrix"),
      result: z.array(
        z.object({
          metric: z.record(z.string(), z.string()),
          values: z.array(z.tuple([z.number(), z.string()])),
        }),
      ),
    }),
  })
  .meta({ id: "EventDeliveryMetric" });

/** Returns the start (epoch ms) of the first interval of a response. */
export function metricStart(interval: MetricInterval, nowMs: number): number {
  const { lengthMs, reachMs } = metricIntervals[interval];
  return Math.floor(nowMs / lengthMs) * lengthMs - reachMs + lengthMs;
}

/** Converts counts to one series for each outcome. Every interval up to now has a value. */
export function toWireMetric(counts: readonly AttemptCount[], interval: MetricInterval, nowMs: number) {
  const { lengthMs } = metricIntervals[interval];
  const startMs = metricStart(interval, nowMs);
  const places = Math.floor((nowMs - startMs) / lengthMs) + 1;
  const series = (outcome: "delivered" | "failed") => {
    const sums: number[] = Array.from({ length: places }, () => 0);
    for (const count of counts) {
      const place = Math.floor((count.fromMs - startMs) / lengthMs);
      if (place in sums) sums[place] = (sums[place] ?? 0) + count[outcome];
    }
    const values = sums.map((sum, place): [number, string] => [(startMs + place * lengthMs) / 1000, String(sum)]);
    return { metric: { outcome }, values };
  };
  const data = { resultType: "matrix" as const, result: [series("delivered"), series("failed")] };
  return { status: "success" as const, data };
}
