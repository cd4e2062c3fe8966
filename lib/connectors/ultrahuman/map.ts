import { formatUtc } from "../format-utc.ts";
import { MG_DL_PER_MMOL_L } from "../glucose-unit.ts";
import { zoneOffset } from "../zone-offset.ts";
import type { DayMetrics } from "./day-metrics.ts";
import { toSleep } from "./map-sleep.ts";
import * as replies from "./replies.ts";

/** Converts a metric to samples. */
function toSamples({ read, timeZone }: DayMetrics, type: string) {
  return (read(type, replies.series)?.values ?? []).flatMap(({ value, timestamp }) => {
    if (value === null) return [];
    const ms = timestamp * 1000;
    return [{ timestamp: formatUtc(ms), timezone_offset: zoneOffset(timeZone, ms), value }];
  });
}

/** Maps all ring metrics of a day. */
export function toRingRecords(day: DayMetrics) {
  const sleep = day.read("Sleep", replies.sleep) ?? day.read("sleep", replies.sleep);
  const vo2 = day.read("vo2_max", replies.singleValue);
  const dayStartMs = vo2?.day_start_timestamp == null ? undefined : vo2.day_start_timestamp * 1000;
  const steps = day.read("steps", replies.series);
  const counts = (steps?.values ?? []).flatMap(({ value }) => value ?? []);
  const total = steps?.total ?? (counts.length === 0 ? null : sumValues(counts));
  const [hrv, temperatures] = [toSamples(day, "hrv"), toSamples(day, "temp")];
  return {
    activity: total === null ? [] : [{ calendar_date: day.date, steps: Math.round(total) }],
    heartrate: toSamples(day, "hr"),
    hrv,
    blood_oxygen: toSamples(day, "spo2"),
    body_temperature: temperatures.map((sample) => toInterval({ ...sample, sensor_location: "finger" })),
    vo2_max:
      vo2?.value == null || dayStartMs === undefined
        ? []
        : [
            {
              timestamp: formatUtc(dayStartMs),
              timezone_offset: zoneOffset(day.timeZone, dayStartMs),
              value: vo2.value,
            },
          ],
    ...(sleep ? toSleep(sleep, day, { hrv, temperatures }) : {}),
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
