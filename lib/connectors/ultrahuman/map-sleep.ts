import { formatUtc } from "../format-utc.ts";
import { minutesToSeconds, roundOrNull } from "../nullable-numbers.ts";
import { mergeStages, type SleepStageInterval, toHypnogram, toSleepCycle } from "../sleep-stages.ts";
import { zoneOffset } from "../zone-offset.ts";
import type { DayMetrics } from "./day-metrics.ts";
import { restingHeartRate, type Sleep, type StageType, singleValue } from "./replies.ts";

const stageCodes: Readonly<Record<string, SleepStageInterval["code"]>> = {
  deep_sleep: 1,
  light_sleep: 2,
  rem_sleep: 3,
  awake: 4,
};

/** Samples that the ring measured in the night. */
interface NightSamples {
  readonly hrv: readonly { readonly value: number }[];
  readonly temperatures: readonly { readonly value: number }[];
}

/** Maps a night: seconds, or minutes to seconds. Converts Unix seconds to instants. */
export function toSleep(sleep: Sleep, { date, timeZone, read }: DayMetrics, { hrv, temperatures }: NightSamples) {
  const [startMs, endMs] = [sleep.bedtime_start * 1000, sleep.bedtime_end * 1000];
  const stages = toStages(sleep);
  const provider_id = `night ${date}`;
  const values = temperatures.map(({ value }) => value);
  const [total, offset] = [readTotal(sleep), zoneOffset(timeZone, endMs)];
  const summary = {
    provider_id,
    calendar_date: date,
    bedtime_start: formatUtc(startMs),
    bedtime_stop: formatUtc(endMs),
    timezone_offset: offset,
    ...(total === null ? {} : { total }),
    duration: readDuration(sleep) ?? roundOrNull((endMs - startMs) / 1000) ?? 0,
    awake: secondsIn(sleep, "awake"),
    light: secondsIn(sleep, "light_sleep"),
    rem: secondsIn(sleep, "rem_sleep"),
    deep: secondsIn(sleep, "deep_sleep"),
    efficiency: quickMetric(sleep, "sleep_efic") ?? sleep.sleep_efficiency?.percentage ?? null,
    score: roundOrNull(sleep.score?.score ?? sleep.sleep_score?.score),
    recovery_readiness_score: roundOrNull(read("recovery_index", singleValue)?.value),
    hr_resting: roundOrNull(read("night_rhr", restingHeartRate)?.avg ?? sleep.night_rhr?.avg),
    temperature_delta: sleep.temperature_deviation?.value ?? null,
    skin_temperature: values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length,
  };
  const stream = { provider_id, hypnogram: toHypnogram(stages, zoneOffset(timeZone, startMs)), hrv };
  const hasStream = stream.hypnogram.length + stream.hrv.length > 0;
  return {
    sleep: [summary],
    sleep_cycle: toSleepCycle(startMs, endMs, stages, offset),
    sleep_stream: hasStream ? [stream] : [],
  };
}

const quickMetric = (sleep: Sleep, type: string) =>
  roundOrNull(sleep.quick_metrics.find((metric) => metric.type === type)?.value);

const readTotal = (sleep: Sleep) => quickMetric(sleep, "total_sleep") ?? minutesToSeconds(sleep.total_sleep?.minutes);
const readDuration = (sleep: Sleep) =>
  quickMetric(sleep, "time_in_bed") ?? minutesToSeconds(sleep.time_in_bed?.minutes);

const secondsIn = (sleep: Sleep, type: StageType): number =>
  roundOrNull(sleep.sleep_stages.find((stage) => stage.type === type)?.stage_time) ??
  minutesToSeconds(sleep[type]?.minutes) ??
  0;

function toStages({ sleep_graph }: Sleep): SleepStageInterval[] {
  const stages = (sleep_graph?.data ?? []).map(({ start, end, type }) => ({
    code: stageCodes[type] ?? (-1 as const),
    startMs: start * 1000,
    endMs: end * 1000,
  }));
  return mergeStages(stages);
}
