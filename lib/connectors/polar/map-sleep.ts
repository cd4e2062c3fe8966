import { formatInstant, parseInstant } from "../../domain/timeseries/instant.ts";
import { joinStages, type SleepStage, toHypnogram, toSleepCycle } from "../sleep-stages.ts";
import { instantOfNight } from "./clock-times.ts";
import type { Night, Recharge } from "./replies.ts";

/** Polar's codes: 0 awake, 1 REM, 2 and 3 light, 4 deep, 5 unrecognized. */
const stageCodes: Readonly<Record<number, SleepStage["code"]>> = { 0: 4, 1: 3, 2: 2, 3: 2, 4: 1 };

const seconds = (value: number | null | undefined) => Math.round(value ?? 0);
const whole = (value: number | null | undefined) => (value == null ? null : Math.round(value));

/** A stable id: Polar reports one night per date. */
const idOf = ({ date }: Night) => `night ${date}`;

/** Maps a night: durations are seconds in both models, interruptions map to `awake`. */
export function toSleep(night: Night, recharge: Recharge | undefined) {
  const [light, deep, rem] = [seconds(night.light_sleep), seconds(night.deep_sleep), seconds(night.rem_sleep)];
  return {
    provider_id: idOf(night),
    calendar_date: night.date,
    bedtime_start: night.sleep_start_time,
    bedtime_stop: night.sleep_end_time,
    timezone_offset: parseInstant(night.sleep_end_time)?.offsetS ?? null,
    total: light + deep + rem,
    awake: seconds(night.total_interruption_duration),
    light,
    rem,
    deep,
    score: whole(night.sleep_score),
    hr_average: whole(recharge?.heart_rate_avg),
    average_hrv: recharge?.heart_rate_variability_avg ?? null,
    respiratory_rate: recharge?.breathing_rate_avg ?? null,
  };
}

/** Maps the stages of a night to a `sleep_cycle` record. */
export function toCycle(night: Night) {
  const [begin, end] = [parseInstant(night.sleep_start_time), parseInstant(night.sleep_end_time)];
  return begin && end ? toSleepCycle(begin.ms, end.ms, stagesOf(night)) : [];
}

/** Maps the series of a night to a sleep stream. */
export function toSleepStream(night: Night, recharge: Recharge | undefined) {
  const offsetS = parseInstant(night.sleep_start_time)?.offsetS ?? null;
  const lists = {
    heartrate: samplesOf(night, night.heart_rate_samples),
    hrv: samplesOf(night, recharge?.hrv_samples),
    respiratory_rate: samplesOf(night, recharge?.breathing_samples),
    hypnogram: toHypnogram(stagesOf(night), offsetS),
  };
  return Object.values(lists).some((list) => list.length > 0) ? [{ provider_id: idOf(night), ...lists }] : [];
}

/** Converts values by local time to samples. */
export function samplesOf(night: Night, values: Readonly<Record<string, number>> | null | undefined) {
  return Object.entries(values ?? {}).flatMap(([clock, value]) => {
    const ms = instantOfNight(clock, night);
    return ms === undefined ? [] : [{ timestamp: formatInstant(ms), value }];
  });
}

/** Derives stage intervals: each lasts until the start of the next, the last until the end of the night. */
function stagesOf(night: Night): SleepStage[] {
  const begins = Object.entries(night.hypnogram ?? {})
    .flatMap(([clock, stage]) => {
      const startMs = instantOfNight(clock, night);
      return startMs === undefined ? [] : [{ code: stageCodes[stage] ?? (-1 as const), startMs }];
    })
    .toSorted((a, b) => a.startMs - b.startMs);
  const endMs = parseInstant(night.sleep_end_time)?.ms ?? 0;
  return joinStages(begins.map((stage, place) => ({ ...stage, endMs: begins[place + 1]?.startMs ?? endMs })));
}
