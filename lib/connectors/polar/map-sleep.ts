import { parseInstant } from "../../domain/shared/instant.ts";
import { formatUtc } from "../format-utc.ts";
import { roundOrNull } from "../nullable-numbers.ts";
import { mergeStages, type SleepStageInterval, toHypnogram, toSleepCycle } from "../sleep-stages.ts";
import { instantInNight } from "./clock-times.ts";
import type { Night, Recharge } from "./replies.ts";

/** Polar's codes: 0 awake, 1 REM, 2 and 3 light, 4 deep, 5 unrecognized. */
const stageCodes: Readonly<Record<number, SleepStageInterval["code"]>> = { 0: 4, 1: 3, 2: 2, 3: 2, 4: 1 };

const seconds = (value: number | null | undefined) => Math.round(value ?? 0);

/** A stable id: Polar reports one night per date. */
const nightId = ({ date }: Night) => `night ${date}`;

/** Maps a night: durations are seconds in both models, interruptions map to `awake`. */
export function toSleep(night: Night, recharge: Recharge | undefined) {
  const [light, deep, rem] = [seconds(night.light_sleep), seconds(night.deep_sleep), seconds(night.rem_sleep)];
  return {
    provider_id: nightId(night),
    calendar_date: night.date,
    bedtime_start: night.sleep_start_time,
    bedtime_stop: night.sleep_end_time,
    timezone_offset: parseInstant(night.sleep_end_time)?.offsetS ?? null,
    total: timeAsleep(night),
    awake: seconds(night.total_interruption_duration),
    light,
    rem,
    deep,
    score: roundOrNull(night.sleep_score),
    hr_average: roundOrNull(recharge?.heart_rate_avg),
    average_hrv: recharge?.heart_rate_variability_avg ?? null,
    respiratory_rate: recharge?.breathing_rate_avg ?? null,
  };
}

/** The time asleep: the sum of the stages or, without one of them, the night without its interruptions. */
function timeAsleep(night: Night): number {
  const stages = [night.light_sleep, night.deep_sleep, night.rem_sleep];
  if (stages.every((one) => one != null)) return stages.reduce<number>((sum, one) => sum + seconds(one), 0);
  const [begin, end] = [parseInstant(night.sleep_start_time), parseInstant(night.sleep_end_time)];
  return begin && end ? seconds((end.ms - begin.ms) / 1000) - seconds(night.total_interruption_duration) : 0;
}

/** Maps the stages of a night to a `sleep_cycle` record. */
export function toCycle(night: Night) {
  const [begin, end] = [parseInstant(night.sleep_start_time), parseInstant(night.sleep_end_time)];
  return begin && end ? toSleepCycle(begin.ms, end.ms, toStages(night), end.offsetS) : [];
}

/** Maps the series of a night to a sleep stream. */
export function toSleepStream(night: Night, recharge: Recharge | undefined) {
  const offsetS = parseInstant(night.sleep_start_time)?.offsetS ?? null;
  const lists = {
    heartrate: toSamples(night, night.heart_rate_samples),
    hrv: toSamples(night, recharge?.hrv_samples),
    respiratory_rate: toSamples(night, recharge?.breathing_samples),
    hypnogram: toHypnogram(toStages(night), offsetS),
  };
  return Object.values(lists).some((list) => list.length > 0) ? [{ provider_id: nightId(night), ...lists }] : [];
}

/** Converts values by local time to samples. */
export function toSamples(night: Night, values: Readonly<Record<string, number>> | null | undefined) {
  return Object.entries(values ?? {}).flatMap(([clock, value]) => {
    const ms = instantInNight(clock, night);
    return ms === undefined ? [] : [{ timestamp: formatUtc(ms), value }];
  });
}

/** Derives stage intervals: each lasts until the start of the next, the last until the end of the night. */
function toStages(night: Night): SleepStageInterval[] {
  const begins = Object.entries(night.hypnogram ?? {})
    .flatMap(([clock, stage]) => {
      const startMs = instantInNight(clock, night);
      return startMs === undefined ? [] : [{ code: stageCodes[stage] ?? (-1 as const), startMs }];
    })
    .toSorted((a, b) => a.startMs - b.startMs);
  const [firstMs, endMs] = [night.sleep_start_time, night.sleep_end_time].map((time) => parseInstant(time)?.ms ?? 0);
  const stages = begins.map(({ code, startMs }, place) => ({
    code,
    // The clock shows the minute of the first stage, which begins with the night.
    startMs: Math.max(startMs, firstMs!),
    endMs: begins[place + 1]?.startMs ?? endMs!,
  }));
  return mergeStages(stages);
}
