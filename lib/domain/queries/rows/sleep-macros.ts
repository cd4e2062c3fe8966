import { DAY_MS, HOUR_MS } from "../../shared/durations.ts";
import { fieldReader } from "../tables/summary-columns.ts";
import type { SummaryRow } from "./rows.ts";

/** Value macros of the query language for sleep (docs/query.md, Macros). */

const AWAKE_STAGE = 4;
const ASLEEP_STAGES = new Set([1, 2, 3, 5]);

/**
 * Thresholds for full marks: sleep duration, efficiency, and the combined share of deep and REM sleep. Efficiency
 * counts from `WORST_EFFICIENCY`.
 */
const FULL_SLEEP_S = 8 * 3_600;
const WORST_EFFICIENCY = 65;
const GOOD_EFFICIENCY = 85;
const FULL_RESTORATIVE_RATIO = 0.37;

const numericField = (row: SummaryRow, field: string): number | null => {
  const value = fieldReader(field)(row);
  return typeof value === "number" ? value : null;
};

const clampToUnit = (value: number) => Math.min(1, Math.max(0, value));

/**
 * Sleep score, 0 to 100: 50 for duration, 30 for efficiency, 20 for deep and REM sleep. Missing parts are left out and
 * the rest is scaled up.
 */
export function sleepScore(row: SummaryRow): number | null {
  const asleep = numericField(row, "total");
  if (asleep === null || asleep <= 0) return null;
  const period = numericField(row, "duration");
  const efficiency = numericField(row, "efficiency") ?? (period ? (100 * asleep) / period : null);
  const staged = (numericField(row, "light") ?? 0) + (numericField(row, "rem") ?? 0) + (numericField(row, "deep") ?? 0);
  const restorative = staged > 0 ? ((numericField(row, "rem") ?? 0) + (numericField(row, "deep") ?? 0)) / asleep : null;
  const known: [number, number][] = [[50, clampToUnit(asleep / FULL_SLEEP_S)]];
  if (efficiency !== null)
    known.push([30, clampToUnit((efficiency - WORST_EFFICIENCY) / (GOOD_EFFICIENCY - WORST_EFFICIENCY))]);
  if (restorative !== null) known.push([20, clampToUnit(restorative / FULL_RESTORATIVE_RATIO)]);
  const weight = known.reduce((all, [part]) => all + part, 0);
  return Math.round((100 * known.reduce((all, [part, value]) => all + part * value, 0)) / weight);
}

/** Chronotype by the local time at the middle of the sleep: lark until 3:30, third until 6:00, otherwise owl. */
export function chronotype(middle: number | null): "lark" | "third" | "owl" | null {
  if (middle === null) return null;
  const hour = (middle - Math.floor(middle / DAY_MS) * DAY_MS) / HOUR_MS;
  if (hour >= 17 || hour <= 3.5) return "lark";
  return hour <= 6 ? "third" : "owl";
}

interface Segment {
  readonly startS: number;
  readonly endS: number;
  readonly type: number;
}

/** The sleep stages of a sleep cycle in time order. */
export function sleepSegments(cycle: SummaryRow | undefined): Segment[] {
  const list = (field: string) => (cycle?.[field] ?? []) as readonly number[];
  const ends = list("stage_end_offset_second");
  const types = list("stage_type");
  const segments = list("stage_start_offset_second").map((startS, index) => {
    return { startS, endS: ends[index] ?? startS, type: types[index] ?? -1 };
  });
  return segments.sort((a, b) => a.startS - b.startS);
}

/** Seconds from session start to the end of the last sleep stage; null without known stages. */
export function lastAsleepOffsetS(segments: readonly Segment[]): number | null {
  return segments.findLast(({ type }) => ASLEEP_STAGES.has(type))?.endS ?? null;
}

/** Number of awakenings between sleep stages, ignoring other stages; null without known stages. */
export function awakenings(segments: readonly Segment[]): number | null {
  if (segments.length === 0) return null;
  const known = segments.filter(({ type }) => type === AWAKE_STAGE || ASLEEP_STAGES.has(type));
  const last = known.findLastIndex(({ type }) => ASLEEP_STAGES.has(type));
  const isAwakening = ({ type }: Segment, index: number) =>
    type === AWAKE_STAGE && ASLEEP_STAGES.has(known[index - 1]?.type ?? AWAKE_STAGE);
  return known.slice(0, last + 1).filter(isAwakening).length;
}
