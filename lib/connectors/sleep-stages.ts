import { formatAtOffset, formatUtc } from "./format-utc.ts";

/** An interval of one sleep stage, epoch ms. Codes: -1 unknown, 1 deep, 2 light, 3 REM, 4 awake. */
export interface SleepStageInterval {
  readonly code: -1 | 1 | 2 | 3 | 4;
  readonly startMs: number;
  readonly endMs: number;
}

/** Sorts stages by start and merges adjacent intervals of the same stage. */
export function mergeStages(stages: readonly SleepStageInterval[]): SleepStageInterval[] {
  const joined: SleepStageInterval[] = [];
  for (const stage of stages.toSorted((a, b) => a.startMs - b.startMs)) {
    const last = joined.at(-1);
    if (last?.code === stage.code && last.endMs === stage.startMs)
      joined[joined.length - 1] = { ...last, ...ends(stage) };
    else if (stage.startMs < stage.endMs) joined.push(stage);
  }
  return joined;
}

const ends = ({ endMs }: SleepStageInterval) => ({ endMs });

/**
 * Converts stages to a `sleep_cycle` record; empty without stages.
 * @param offsetS UTC offset of its sleep, seconds; null if unknown. Both then lie within the same bounds of their user.
 */
export function toSleepCycle(
  startMs: number,
  endMs: number,
  stages: readonly SleepStageInterval[],
  offsetS: number | null,
) {
  if (stages.length === 0) return [];
  const seconds = (ms: number) => Math.round((ms - startMs) / 1000);
  return [
    {
      session_start: formatAtOffset(startMs, offsetS),
      session_end: formatAtOffset(endMs, offsetS),
      stage_start_offset_second: stages.map((stage) => seconds(stage.startMs)),
      stage_end_offset_second: stages.map((stage) => seconds(stage.endMs)),
      stage_type: stages.map(({ code }) => code),
    },
  ];
}

/** Converts stages to hypnogram samples. @param offsetS UTC offset in seconds; null if unknown. */
export function toHypnogram(stages: readonly SleepStageInterval[], offsetS: number | null) {
  return stages.map(({ code, startMs, endMs }) => ({
    start: formatUtc(startMs),
    end: formatUtc(endMs),
    timezone_offset: offsetS,
    value: code,
  }));
}
