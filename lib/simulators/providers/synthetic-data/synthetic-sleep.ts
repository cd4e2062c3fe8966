import { MINUTE_MS } from "../../../domain/shared/durations.ts";
import { randomInteger, type SeededRandom } from "../../demo/seeded-random.ts";
import type { ZoneCalendar } from "../../demo/zone-calendar.ts";

/** The sleep stages that all providers support. */
export type SleepStage = "awake" | "light" | "deep" | "rem";

/** An interval of one stage, epoch ms. Its length is a multiple of 5 minutes. */
interface SyntheticStageInterval {
  readonly stage: SleepStage;
  readonly startMs: number;
  readonly endMs: number;
}

/** A synthetic night. The stages cover it without gaps. */
export interface SyntheticSleep {
  readonly startMs: number;
  readonly endMs: number;
  /** Offset from UTC at the end, seconds. */
  readonly offsetS: number;
  readonly stages: readonly SyntheticStageInterval[];
  readonly latencyS: number;
  readonly score: number;
  /** Values every 5 minutes from the start: bpm, and RMSSD in ms. */
  readonly bpm: readonly number[];
  readonly hrvMs: readonly number[];
  /** One decimal place. */
  readonly breathsPerMinute: number;
}

/** Interval of all values and stages of a night. */
export const SAMPLE_INTERVAL_MS = 5 * MINUTE_MS;
const STEPS_PER_CYCLE = 18;

/** Generates the night that ends on a day. It starts between 22:00 and 24:00 on the evening before. */
export function generateSleep(
  random: SeededRandom,
  zone: ZoneCalendar,
  day: number,
  { restingBpm, revision }: { readonly restingBpm: number; readonly revision: number },
): SyntheticSleep {
  const startMs = zone.instantAt(day, -120 + 5 * randomInteger(random, "bed", day, 0, 24));
  const length = randomInteger(random, "night", day, 80, 106);
  const latency = randomInteger(random, "falling asleep", day, 1, 4);
  const steps = Array.from({ length }, (_, step) => generateStage(random, day, step - latency));
  const endMs = startMs + length * SAMPLE_INTERVAL_MS;
  return {
    startMs,
    endMs,
    offsetS: zone.offsetS(endMs),
    stages: mergeStages(steps, startMs),
    latencyS: (latency * SAMPLE_INTERVAL_MS) / 1000,
    score: Math.min(100, randomInteger(random, "sleep score", day, 62, 95) + revision),
    bpm: steps.map((_, step) => restingBpm + randomInteger(random, "asleep", day * 200 + step, 0, 9)),
    hrvMs: steps.map((_, step) => randomInteger(random, "hrv", day * 200 + step, 32, 78)),
    breathsPerMinute: randomInteger(random, "breaths", day, 125, 168) / 10,
  };
}

/** Seconds spent in a stage. */
export function secondsInStage({ stages }: SyntheticSleep, selected: SleepStage): number {
  const lengths = stages.map(({ stage, startMs, endMs }) => (stage === selected ? (endMs - startMs) / 1000 : 0));
  return lengths.reduce((sum, length) => sum + length, 0);
}

/** The mean of a night's values, rounded to an integer. */
export function roundedMean(values: readonly number[]): number {
  return Math.round(values.reduce((sum, value) => sum + value, 0) / values.length);
}

/** Generates the stage of a step: awake at first, then cycles of 90 minutes with decreasing deep sleep. */
function generateStage(draw: SeededRandom, day: number, step: number): SleepStage {
  if (step < 0) return "awake";
  const cycle = Math.floor(step / STEPS_PER_CYCLE);
  const at = step % STEPS_PER_CYCLE;
  if (at === STEPS_PER_CYCLE - 1) return draw("wakes", day * 10 + cycle) < 0.4 ? "awake" : "light";
  if (at >= 13 - cycle) return "rem";
  return at >= 4 && at < 10 - 2 * cycle ? "deep" : "light";
}

function mergeStages(steps: readonly SleepStage[], startMs: number): SyntheticStageInterval[] {
  const stages: SyntheticStageInterval[] = [];
  steps.forEach((stage, step) => {
    const from = startMs + step * SAMPLE_INTERVAL_MS;
    const last = stages.at(-1);
    if (last?.stage === stage) stages[stages.length - 1] = { ...last, endMs: from + SAMPLE_INTERVAL_MS };
    else stages.push({ stage, startMs: from, endMs: from + SAMPLE_INTERVAL_MS });
  });
  return stages;
}
