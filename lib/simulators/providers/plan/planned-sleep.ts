import { type Draw, wholeBetween } from "../../demo/draws.ts";
import { MINUTE_MS, type ZoneDays } from "../../demo/zone-days.ts";

/** The sleep stages that all providers support. */
export type Stage = "awake" | "light" | "deep" | "rem";

/** An interval of one stage, epoch ms. Its length is a multiple of 5 minutes. */
export interface PlannedStage {
  readonly stage: Stage;
  readonly startMs: number;
  readonly endMs: number;
}

/** A synthetic night. The stages cover it without gaps. */
export interface PlannedSleep {
  readonly startMs: number;
  readonly endMs: number;
  /** Offset from UTC at the end, seconds. */
  readonly offsetS: number;
  readonly stages: readonly PlannedStage[];
  readonly latencyS: number;
  readonly score: number;
  /** Values every 5 minutes from the start: bpm, and RMSSD in ms. */
  readonly bpm: readonly number[];
  readonly hrvMs: readonly number[];
  /** One decimal place. */
  readonly breathsPerMinute: number;
}

/** Interval of all values and stages of a night. */
export const GRID_MS = 5 * MINUTE_MS;
const STEPS_OF_A_CYCLE = 18;

/** Generates the night that ends on a day. It starts between 22:00 and 24:00 on the evening before. */
export function plannedSleep(
  draw: Draw,
  zone: ZoneDays,
  day: number,
  { restingBpm, revision }: { readonly restingBpm: number; readonly revision: number },
): PlannedSleep {
  const startMs = zone.instant(day, -120 + 5 * wholeBetween(draw, "bed", day, 0, 24));
  const length = wholeBetween(draw, "night", day, 80, 106);
  const latency = wholeBetween(draw, "falling asleep", day, 1, 4);
  const steps = Array.from({ length }, (_, step) => stageAt(draw, day, step - latency));
  const endMs = startMs + length * GRID_MS;
  return {
    startMs,
    endMs,
    offsetS: zone.offsetS(endMs),
    stages: joined(steps, startMs),
    latencyS: (latency * GRID_MS) / 1000,
    score: Math.min(100, wholeBetween(draw, "sleep score", day, 62, 95) + revision),
    bpm: steps.map((_, step) => restingBpm + wholeBetween(draw, "asleep", day * 200 + step, 0, 9)),
    hrvMs: steps.map((_, step) => wholeBetween(draw, "hrv", day * 200 + step, 32, 78)),
    breathsPerMinute: wholeBetween(draw, "breaths", day, 125, 168) / 10,
  };
}

/** Seconds spent in a stage. */
export function secondsIn({ stages }: PlannedSleep, wanted: Stage): number {
  const lengths = stages.map(({ stage, startMs, endMs }) => (stage === wanted ? (endMs - startMs) / 1000 : 0));
  return lengths.reduce((sum, length) => sum + length, 0);
}

/** The mean of a night's values, rounded to an integer. */
export function meanOfNight(values: readonly number[]): number {
  return Math.round(values.reduce((sum, value) => sum + value, 0) / values.length);
}

/** Generates the stage of a step: awake at first, then cycles of 90 minutes with decreasing deep sleep. */
function stageAt(draw: Draw, day: number, step: number): Stage {
  if (step < 0) return "awake";
  const cycle = Math.floor(step / STEPS_OF_A_CYCLE);
  const at = step % STEPS_OF_A_CYCLE;
  if (at === STEPS_OF_A_CYCLE - 1) return draw("wakes", day * 10 + cycle) < 0.4 ? "awake" : "light";
  if (at >= 13 - cycle) return "rem";
  return at >= 4 && at < 10 - 2 * cycle ? "deep" : "light";
}

function joined(steps: readonly Stage[], startMs: number): PlannedStage[] {
  const stages: PlannedStage[] = [];
  steps.forEach((stage, step) => {
    const from = startMs + step * GRID_MS;
    const last = stages.at(-1);
    if (last?.stage === stage) stages[stages.length - 1] = { ...last, endMs: from + GRID_MS };
    else stages.push({ stage, startMs: from, endMs: from + GRID_MS });
  });
  return stages;
}
