import { formatAtOffset, formatUtc } from "../format-utc.ts";
import { roundOrNull } from "../nullable-numbers.ts";
import { padDate } from "../window-dates.ts";
import { zoneOffset } from "../zone-offset.ts";
import { deviceOf } from "./map-measures.ts";
import type { Night, SleepSegment } from "./replies.ts";

/** Withings' stages (0 awake, 1 light, 2 deep, 3 REM, 4 manual) by unified code; all others are unknown. */
const stageCodes: Readonly<Record<number, number>> = { 0: 4, 1: 2, 2: 1, 3: 3, 4: 5 };

/** Normalizes the efficiency, which is a fraction in some responses and a percentage in others. */
function toPercent(value: number | null | undefined): number | null {
  if (value == null) return null;
  return value <= 1 ? Math.round(value * 1e4) / 100 : value;
}

/** Maps a night: seconds in both models. Date and UTC offset are those of its end. */
export function toSleep({ id, timezone, startdate, enddate, date, data }: Night) {
  const total = data.total_sleep_time ?? data.asleepduration;
  return {
    provider_id: String(id),
    calendar_date: padDate(date),
    bedtime_start: formatUtc(startdate * 1000),
    bedtime_stop: formatUtc(enddate * 1000),
    timezone_offset: zoneOffset(timezone, enddate * 1000),
    ...(data.total_timeinbed == null ? {} : { duration: data.total_timeinbed }),
    ...(total == null ? {} : { total }),
    awake: data.wakeupduration ?? 0,
    light: data.lightsleepduration ?? 0,
    rem: data.remsleepduration ?? 0,
    deep: data.deepsleepduration ?? 0,
    latency: data.sleep_latency ?? null,
    efficiency: toPercent(data.sleep_efficiency),
    score: roundOrNull(data.sleep_score),
    hr_average: roundOrNull(data.hr_average),
    hr_lowest: roundOrNull(data.hr_min),
    respiratory_rate: data.rr_average ?? null,
  };
}

/** Model numbers of the mats below a mattress; their nights have the model 32. */
const MAT_MODEL_IDS: readonly number[] = [60, 61, 62, 63];
const MAT_MODEL = 32;

/** Whether a segment may be from the device of a night, by what both state of their devices. */
function isOfDevice(night: Night, segment: SleepSegment): boolean {
  const [own, other] = [deviceOf(night).device_id, deviceOf(segment).device_id];
  if (own && other) return own === other;
  if (segment.model_id == null) return true;
  if (night.model_id != null) return night.model_id === segment.model_id;
  return night.model == null || (night.model === MAT_MODEL) === MAT_MODEL_IDS.includes(segment.model_id);
}

/**
 * Collects the stage intervals of a night and the samples measured in them. Removes duplicates, and the segments of
 * other devices that the user wore or slept on at that time.
 */
export function toSleepDetails(night: Night, segments: readonly SleepSegment[]) {
  const own = segments.filter((one) => isOfDevice(night, one));
  const all = [...new Map(own.map((one) => [one.startdate, one])).values()]
    .filter(({ startdate, enddate }) => startdate >= night.startdate && enddate <= night.enddate)
    .toSorted((one, other) => one.startdate - other.startdate);
  const samples = (kind: "hr" | "rr" | "rmssd") =>
    all.flatMap((one) =>
      Object.entries(one[kind] ?? {}).map(([at, value]) => ({
        timestamp: formatUtc(Number(at) * 1000),
        timezone_offset: zoneOffset(night.timezone, Number(at) * 1000),
        value,
      })),
    );
  return { stretches: all, heartrate: samples("hr"), respiratory_rate: samples("rr"), hrv: samples("rmssd") };
}
type SleepDetails = ReturnType<typeof toSleepDetails>;

export function toSleepCycle({ startdate, enddate, timezone }: Night, { stretches }: SleepDetails) {
  const offset = zoneOffset(timezone, enddate * 1000);
  return {
    session_start: formatAtOffset(startdate * 1000, offset),
    session_end: formatAtOffset(enddate * 1000, offset),
    time_zone: timezone,
    stage_start_offset_second: stretches.map((one) => one.startdate - startdate),
    stage_end_offset_second: stretches.map((one) => one.enddate - startdate),
    stage_type: stretches.map(({ state }) => stageCodes[state] ?? -1),
  };
}

export function toSleepStream({ id, timezone }: Night, { stretches, heartrate, respiratory_rate, hrv }: SleepDetails) {
  const hypnogram = stretches.map((one) => ({
    start: formatUtc(one.startdate * 1000),
    end: formatUtc(one.enddate * 1000),
    timezone_offset: zoneOffset(timezone, one.startdate * 1000),
    value: stageCodes[one.state] ?? -1,
  }));
  return { provider_id: String(id), heartrate, respiratory_rate, hrv, hypnogram };
}
