import { parseInstant } from "../../domain/shared/instant.ts";
import { formatUtc } from "../format-utc.ts";
import { roundOrNull } from "../nullable-numbers.ts";
import type { DailyReadiness, Series, SleepPeriod } from "./replies.ts";

/** The scores of a day, which Oura reports apart from the sleep periods. */
export interface OuraDay {
  readonly score?: number | null | undefined;
  readonly readiness?: DailyReadiness | undefined;
}

const PHASE_S = 300;

/** Returns false for a deleted period and for one that the user marked as rest. */
export const isSleepPeriod = ({ type }: SleepPeriod): boolean => type !== "deleted" && type !== "rest";

/** A `sleep` is one of at most three hours that the user confirmed, and a `late_nap` one that ended after 6 pm. */
const sleepTypes: Readonly<Record<string, string>> = {
  long_sleep: "long_sleep",
  sleep: "acknowledged_nap",
  late_nap: "acknowledged_nap",
};

/** Maps a sleep period. The scores of a day belong to its long sleep. Durations are seconds in both models. */
export function toSleep(period: SleepPeriod, day: OuraDay) {
  const type = sleepTypes[period.type ?? ""];
  const isMain = type === "long_sleep";
  return {
    provider_id: period.id,
    calendar_date: period.day,
    bedtime_start: period.bedtime_start,
    bedtime_stop: period.bedtime_end,
    // The date of a sleep is the date of its end. The offset must match it in a night with a clock change.
    timezone_offset: parseInstant(period.bedtime_end)?.offsetS ?? null,
    ...(type === undefined ? {} : { type }),
    ...(period.time_in_bed == null ? {} : { duration: period.time_in_bed }),
    ...(period.total_sleep_duration == null ? {} : { total: period.total_sleep_duration }),
    awake: period.awake_time ?? 0,
    light: period.light_sleep_duration ?? 0,
    rem: period.rem_sleep_duration ?? 0,
    deep: period.deep_sleep_duration ?? 0,
    latency: period.latency ?? null,
    efficiency: period.efficiency ?? null,
    hr_average: roundOrNull(period.average_heart_rate),
    hr_lowest: roundOrNull(period.lowest_heart_rate),
    average_hrv: period.average_hrv ?? null,
    respiratory_rate: period.average_breath ?? null,
    score: isMain ? (day.score ?? null) : null,
    recovery_readiness_score: isMain ? (day.readiness?.score ?? null) : null,
    temperature_delta: isMain ? (day.readiness?.temperature_deviation ?? null) : null,
  };
}

/** Maps the stages: one digit per five minutes, with the codes of the unified model. Merges equal neighbours. */
export function toSleepCycle(period: SleepPeriod) {
  const stages = toStages(period);
  return {
    session_start: period.bedtime_start,
    session_end: period.bedtime_end,
    stage_start_offset_second: stages.map(({ fromS }) => fromS),
    stage_end_offset_second: stages.map(({ untilS }) => untilS),
    stage_type: stages.map(({ stage }) => stage),
  };
}

function toStages({ bedtime_start, bedtime_end, sleep_phase_5_min }: SleepPeriod) {
  const lengthS = (Date.parse(bedtime_end) - Date.parse(bedtime_start)) / 1000;
  const stages: { stage: number; fromS: number; untilS: number }[] = [];
  for (const [place, digit] of [...(sleep_phase_5_min ?? "")].entries()) {
    const [fromS, untilS] = [place * PHASE_S, Math.min((place + 1) * PHASE_S, lengthS)];
    const stage = /[1-4]/.test(digit) ? Number(digit) : -1;
    const last = stages.at(-1);
    if (last?.stage === stage) last.untilS = untilS;
    else if (fromS < untilS) stages.push({ stage, fromS, untilS });
  }
  return stages;
}

/** Maps the series of a period to a sleep stream; empty without series. */
export function toSleepStream(period: SleepPeriod) {
  const begin = parseInstant(period.bedtime_start);
  const at = (seconds: number) => formatUtc((begin?.ms ?? 0) + seconds * 1000);
  const lists = {
    heartrate: toSamples(period.heart_rate),
    hrv: toSamples(period.hrv),
    hypnogram: toStages(period).map(({ stage, fromS, untilS }) => ({
      start: at(fromS),
      end: at(untilS),
      timezone_offset: begin?.offsetS ?? null,
      value: stage,
    })),
  };
  return Object.values(lists).some((list) => list.length > 0) ? [{ provider_id: period.id, ...lists }] : [];
}

/** Converts a series to samples; skips gaps. */
export function toSamples(series: Series) {
  const begin = series && parseInstant(series.timestamp);
  if (!series || !begin) return [];
  return series.items.flatMap((value, place) =>
    value === null
      ? []
      : [
          {
            timestamp: formatUtc(begin.ms + place * series.interval * 1000),
            timezone_offset: begin.offsetS,
            value,
          },
        ],
  );
}
