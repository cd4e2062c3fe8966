import { formatInstant } from "../../domain/timeseries/instant.ts";
import { joinStages, type SleepStage, toHypnogram, toSleepCycle } from "../sleep-stages.ts";
import type { Sleep } from "./replies.ts";

const stageCodes: Readonly<Record<string, SleepStage["code"]>> = { deep: 1, light: 2, rem: 3, awake: 4 };

/** Validations of a night that may yet change. */
const isTentative = (validation: string) => validation.endsWith("TENTATIVE");

/** A night. Its duration there is that of being asleep, so that it ends as much later as somebody lay awake. */
export function toNight(night: Sleep) {
  const seconds = (value: number | null | undefined) => Math.round(value ?? 0);
  const [total, awake] = [seconds(night.durationInSeconds), seconds(night.awakeDurationInSeconds)];
  const startMs = night.startTimeInSeconds * 1000;
  const endMs = startMs + (total + awake) * 1000;
  const offset = night.startTimeOffsetInSeconds ?? null;
  const provider_id = night.summaryId ?? `night ${night.startTimeInSeconds}`;
  const stages = stagesOf(night, endMs);
  const summary = {
    provider_id,
    calendar_date: night.calendarDate,
    bedtime_start: formatInstant(startMs),
    bedtime_stop: formatInstant(endMs),
    timezone_offset: offset,
    duration: total + awake,
    total,
    awake,
    light: seconds(night.lightSleepDurationInSeconds),
    rem: seconds(night.remSleepInSeconds),
    deep: seconds(night.deepSleepDurationInSeconds),
    score: night.overallSleepScore?.value ?? null,
    state: night.validation == null ? null : isTentative(night.validation) ? "tentative" : "confirmed",
  };
  return {
    sleep: [summary],
    sleep_cycle: toSleepCycle(startMs, endMs, stages),
    sleep_stream: stages.length === 0 ? [] : [{ provider_id, hypnogram: toHypnogram(stages, offset) }],
  };
}

function stagesOf({ sleepLevelsMap }: Sleep, endMs: number): SleepStage[] {
  const stages = Object.entries(sleepLevelsMap ?? {}).flatMap(([level, spans]) =>
    spans.map(({ startTimeInSeconds, endTimeInSeconds }) => ({
      code: stageCodes[level] ?? (-1 as const),
      startMs: startTimeInSeconds * 1000,
      endMs: Math.min(endMs, endTimeInSeconds * 1000),
    })),
  );
  return joinStages(stages);
}
