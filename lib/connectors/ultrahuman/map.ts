import { formatUtc } from "../format-utc.ts";
import { MG_DL_PER_MMOL_L } from "../glucose-unit.ts";
import { zoneOffset } from "../zone-offset.ts";
import type { DayMetrics } from "./day-metrics.ts";
import { toSleep } from "./map-sleep.ts";
import * as replies from "./replies.ts";

/** Converts a metric to samples. @param more additional fields of each sample. */
function toSamples({ read, timeZone }: DayMetrics, type: string, more: object = {}) {
  return (read(type, replies.series)?.values ?? []).flatMap(({ value, timestamp }) => {
    if (value === null) return [];
    const ms = timestamp * 1000;
    return [{ timestamp: formatUtc(ms), timezone_offset: zoneOffset(timeZone, ms), value, ...more }];
  });
}

/** Maps all ring metrics of a day. */
export function toRingRecords(day: DayMetrics) {
  const sleep = day.read("Sleep", replies.sleep) ?? day.read("sleep", replies.sleep);
  const vo2 = day.read("vo2_max", replies.singleValue);
  const steps = toSamples(day, "steps").map(({ value }) => value);
  const total = day.read("steps", replies.series)?.total ?? (steps.length === 0 ? null : sumValues(steps));
  return {
    activity: total === null ? [] : [{ calendar_date: day.date, steps: Math.round(total) }],
    heartrate: toSamples(day, "hr"),
    hrv: toSamples(day, "hrv"),
    blood_oxygen: toSamples(day, "spo2"),
    body_temperature: toSamples(day, "temp", { sensor_location: "finger" }).map(toInterval),
    vo2_max:
      vo2?.value == null || vo2.day_start_timestamp == null
        ? []
        : [{ timestamp: formatUtc(vo2.day_start_timestamp * 1000), value: vo2.value }],
    ...(sleep ? toSleep(sleep, day, { hrv: toSamples(day, "hrv"), temperatures: toSamples(day, "temp") }) : {}),
  };
}

/** Maps the glucose values of a day. Converts mg/dL to mmol/L. */
export function toGlucose(day: DayMetrics) {
  return {
    glucose: toSamples(day, "glucose").map(({ value, ...at }) => ({ ...at, value: value / MG_DL_PER_MMOL_L })),
  };
}

const sumValues = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0);

const toInterval = <T extends { readonly timestamp: string }>({ timestamp, ...sample }: T) => ({
  start: timestamp,
  end: timestamp,
  ...sample,
});
