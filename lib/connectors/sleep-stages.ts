import { formatInstant } from "../domain/timeseries/instant.ts";

/** A stretch of sleep, epoch ms: -1 unknown, 1 deep, 2 light, 3 REM, 4 awake. */
export interface SleepStage {
  readonly code: -1 | 1 | 2 | 3 | 4;
  readonly startMs: number;
  readonly endMs: number;
}

/** Stages in order of time, equal neighbours as one. */
export function joinStages(stages: readonly SleepStage[]): SleepStage[] {
  const joined: SleepStage[] = [];
  for (const stage of stages.toSorted((a, b) => a.startMs - b.startMs)) {
    const last = joined.at(-1);
    if (last?.code === stage.code && last.endMs === stage.startMs)
      joined[joined.length - 1] = { ...last, ...ends(stage) };
    else if (stage.startMs < stage.endMs) joined.push(stage);
  }
  return joined;
}

const ends = ({ endMs }: SleepStage) => ({ endMs });

/** The stages of a period as a record `sleep_cycle`; none without stages. */
export function toSleepCycle(startMs: number, endMs: number, stages: readonly SleepStage[]) {
  if (stages.length === 0) return [];
  const seconds = (ms: number) => Math.round((ms - startMs) / 1000);
  return [
    {
      session_start: formatInstant(startMs),
      session_end: formatInstant(endMs),
      stage_start_offset_second: stages.map((stage) => seconds(stage.startMs)),
      stage_end_offset_second: stages.map((stage) => seconds(stage.endMs)),
      stage_type: stages.map(({ code }) => code),
    },
  ];
}

/** The stages of a period as samples of its stream. @param offsetS from UTC where the user was; null if unknown. */
export function toHypnogram(stages: readonly SleepStage[], offsetS: number | null) {
  return stages.map(({ code, startMs, endMs }) => ({
    start: formatInstant(startMs),
    end: formatInstant(endMs),
    timezone_offset: offsetS,
    value: code,
  }));
}
