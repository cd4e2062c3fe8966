import { DAY_MS } from "./floating-time.ts";
import type { SummaryRow } from "./rows.ts";
import { at } from "./summary-columns.ts";

/** What the value macros of the query language make of a sleep (docs/query.md, Macros). */

const HOUR_MS = 3_600_000;
const AWAKE = 4;
const ASLEEP = new Set([1, 2, 3, 5]);

/** How much sleep, which efficiency and which part of deep and REM sleep are fully good; efficiency counts from `WORST`. */
const ENOUGH_S = 8 * 3_600;
const WORST_EFFICIENCY = 65;
const GOOD_EFFICIENCY = 85;
const RESTORATIVE_PART = 0.37;

const number = (row: SummaryRow, field: string): number | null => {
  const value = at(field)(row);
  return typeof value === "number" ? value : null;
};

const within = (value: number) => Math.min(1, Math.max(0, value));

/** 0 to 100: half for how long, 30 for how efficiently, 20 for how restoratively; of what the source tells. */
export function sleepScore(row: SummaryRow): number | null {
  const asleep = number(row, "total");
  if (asleep === null || asleep <= 0) return null;
  const period = number(row, "duration");
  const efficiency = number(row, "efficiency") ?? (period ? (100 * asleep) / period : null);
  const staged = (number(row, "light") ?? 0) + (number(row, "rem") ?? 0) + (number(row, "deep") ?? 0);
  const restorative = staged > 0 ? ((number(row, "rem") ?? 0) + (number(row, "deep") ?? 0)) / asleep : null;
  const known: [number, number][] = [[50, within(asleep / ENOUGH_S)]];
  if (efficiency !== null)
    known.push([30, within((efficiency - WORST_EFFICIENCY) / (GOOD_EFFICIENCY - WORST_EFFICIENCY))]);
  if (restorative !== null) known.push([20, within(restorative / RESTORATIVE_PART)]);
  const weight = known.reduce((all, [part]) => all + part, 0);
  return Math.round((100 * known.reduce((all, [part, value]) => all + part * value, 0)) / weight);
}

/** By what the clock shows in the middle of a sleep (floating time): until 3:30 a lark, until 6:00 a third, else an owl. */
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

/** The stages of a sleep in order of time, as its sleep cycle has them. */
export function segmentsOf(cycle: SummaryRow | undefined): Segment[] {
  const list = (field: string) => (cycle?.[field] ?? []) as readonly number[];
  const ends = list("stage_end_offset_second");
  const types = list("stage_type");
  const segments = list("stage_start_offset_second").map((startS, index) => {
    return { startS, endS: ends[index] ?? startS, type: types[index] ?? -1 };
  });
  return segments.sort((a, b) => a.startS - b.startS);
}

/** How long after the begin of the session the last sleep of it ended, seconds; null where no stages are known. */
export function lastAsleepS(segments: readonly Segment[]): number | null {
  return segments.findLast(({ type }) => ASLEEP.has(type))?.endS ?? null;
}

/** How often the sleep was interrupted by being awake, whatever else is told between; null where no stages are known. */
export function awakenings(segments: readonly Segment[]): number | null {
  if (segments.length === 0) return null;
  const told = segments.filter(({ type }) => type === AWAKE || ASLEEP.has(type));
  const last = told.findLastIndex(({ type }) => ASLEEP.has(type));
  const isWaking = ({ type }: Segment, index: number) => type === AWAKE && ASLEEP.has(told[index - 1]?.type ?? AWAKE);
  return told.slice(0, last + 1).filter(isWaking).length;
}
