import { expect, test } from "vitest";
import {
  type MetricInterval,
  metricIntervals,
  metricStart,
  toWireMetric,
} from "../../../lib/events/webhooks/delivery-metric.ts";

const NOW = Date.UTC(2026, 4, 1, 8, 7, 30);
const MINUTE = 60_000;
const at = (minute: number, delivered: number, failed = 0) => ({
  fromMs: Date.UTC(2026, 4, 1, 8, minute),
  delivered,
  failed,
});
/** The nonzero counts of a series, by the start of the interval. */
const seen = (counts: Parameters<typeof toWireMetric>[0], interval: MetricInterval, outcome: string) => {
  const { result } = toWireMetric(counts, interval, NOW).data;
  const { values = [] } = result.find(({ metric }) => metric.outcome === outcome) ?? {};
  return Object.fromEntries(
    values.flatMap(([s, text]) => (text === "0" ? [] : [[new Date(s * 1000).toISOString(), text]])),
  );
};

test("attempts are summed by interval, up to the current interval", () => {
  const counts = [at(-120, 3), at(0, 2, 1), at(5, 4)];
  expect(seen(counts, "5m", "delivered")).toEqual({
    "2026-05-01T06:00:00.000Z": "3",
    "2026-05-01T08:00:00.000Z": "2",
    "2026-05-01T08:05:00.000Z": "4",
  });
  expect(seen(counts, "1h", "delivered")).toEqual({ "2026-05-01T06:00:00.000Z": "3", "2026-05-01T08:00:00.000Z": "6" });
  expect(seen(counts, "1d", "delivered")).toEqual({ "2026-05-01T00:00:00.000Z": "9" });
  expect(seen(counts, "15m", "failed")).toEqual({ "2026-05-01T08:00:00.000Z": "1" });
});

test.each(Object.keys(metricIntervals) as MetricInterval[])(
  "%s covers every interval of its range without a gap",
  (name) => {
    const { lengthMs, reachMs } = metricIntervals[name];
    for (const series of toWireMetric([], name, NOW).data.result) {
      const instants = series.values.map(([seconds]) => seconds * 1000);
      expect(instants).toHaveLength(reachMs / lengthMs);
      expect(instants[0]).toBe(metricStart(name, NOW));
      expect(NOW - (instants.at(-1) ?? 0)).toBeLessThan(lengthMs);
      expect(new Set(instants.slice(1).map((ms, index) => ms - (instants[index] ?? 0)))).toEqual(new Set([lengthMs]));
    }
    expect(lengthMs % (5 * MINUTE)).toBe(0);
  },
);
