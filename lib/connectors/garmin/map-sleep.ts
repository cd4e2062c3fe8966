import { formatUtc } from "../format-utc.ts";
import { mergeStages, type SleepStageInterval, toHypnogram, toSleepCycle } from "../sleep-stages.ts";
import { toSamples } from "./map-days.ts";
import type { Sleep } from "./replies.ts";

const stageCodes: Readonly<Record<string, SleepStageInterval["code"]>> = { deep: 1, light: 2, rem: 3, awake: 4 };

/** Returns true if the night may still change. */
const isTentative = (validation: string) => validation.endsWith("TENTATIVE");

/**
 * Maps a night and its naps. Garmin's duration covers sleep only. The end of the night adds the time awake and the
 * unmeasurable time.
 */
export function toNight(night: Sleep) {
  const seconds = (value: number | null | undefined) => Math.round(value ?? 0);
  const [total, awake] = [seconds(night.durationInSeconds), seconds(night.awakeDurationInSeconds)];
  const unknown = seconds(night.unmeasurableSleepInSeconds ?? night.unmeasurableSleepDurationInSeconds);
  const startMs = night.startTimeInSeconds * 1000;
  const endMs = startMs + (total + awake + unknown) * 1000;
  const offset = night.startTimeOffsetInSeconds ?? null;
  const provider_id = night.summaryId ?? `night ${night.startTimeInSeconds}`;
  const stages = toStages(night, endMs);
  const summary = {
    provider_id,
    ...(night.calendarDate == null ? {} : { calendar_date: night.calendarDate }),
    bedtime_start: formatUtc(startMs),
    bedtime_stop: formatUtc(endMs),
    timezone_offset: offset,
    duration: total + awake + unknown,
    total,
    awake,
    light: seconds(night.lightSleepDurationInSeconds),
    rem: seconds(night.remSleepInSeconds),
    deep: seconds(night.deepSleepDurationInSeconds),
    score: night.overallSleepScore?.value ?? null,
    state: night.validation == null ? null : isTentative(night.validation) ? "tentative" : "confirmed",
  };
  return {
    sleep: [summary, ...toNaps(night, provider_id)],
    respiratory_rate: toSamples(night, night.timeOffsetSleepRespiration),
    blood_oxygen: toSamples(night, night.timeOffsetSleepSpo2),
    sleep_cycle: toSleepCycle(startMs, endMs, stages, offset),
    sleep_stream: stages.length === 0 ? [] : [{ provider_id, hypnogram: toHypnogram(stages, offset) }],
  };
}

/** Maps the naps of a day, which Garmin attaches to the night or sends without one. */
function toNaps({ naps }: Sleep, nightId: string) {
  return (naps ?? []).map(({ napStartTimeInSeconds: start, napDurationInSeconds: total, napOffsetInSeconds }) => ({
    provider_id: `${nightId}-nap-${start}`,
    bedtime_start: formatUtc(start * 1000),
    bedtime_stop: formatUtc((start + total) * 1000),
    timezone_offset: napOffsetInSeconds ?? null,
    type: "acknowledged_nap",
    total,
  }));
}

function toStages({ sleepLevelsMap }: Sleep, endMs: number): SleepStageInterval[] {
  const stages = Object.entries(sleepLevelsMap ?? {}).flatMap(([level, spans]) =>
    spans.map(({ startTimeInSeconds, endTimeInSeconds }) => ({
      code: stageCodes[level] ?? (-1 as const),
      startMs: startTimeInSeconds * 1000,
      endMs: Math.min(endMs, endTimeInSeconds * 1000),
    })),
  );
  return mergeStages(stages);
}
