import * as z from "zod";

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** Attempts are counted in spans of this length; all intervals are made of them. */
export const COUNTED_MS = 5 * MINUTE_MS;

/** How long an interval is, and how far back an answer goes. */
export const metricIntervals = {
  "5m": { lengthMs: 5 * MINUTE_MS, reachMs: DAY_MS },
  "15m": { lengthMs: 15 * MINUTE_MS, reachMs: 3 * DAY_MS },
  "1h": { lengthMs: 60 * MINUTE_MS, reachMs: 14 * DAY_MS },
  "1d": { lengthMs: DAY_MS, reachMs: 30 * DAY_MS },
} as const;
export type MetricInterval = keyof typeof metricIntervals;

/** Attempts of a team within a span: those that were taken, and those that failed. */
export interface AttemptCount {
  /** When the span begins, epoch ms. */
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

/** The instant (epoch ms) with which the intervals of an answer begin. */
export function metricStart(interval: MetricInterval, nowMs: number): number {
  const { lengthMs, reachMs } = metricIntervals[interval];
  return Math.floor(nowMs / lengthMs) * lengthMs - reachMs + lengthMs;
}

/** Counts by interval, one series for each outcome, every interval up to now with its number. */
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
