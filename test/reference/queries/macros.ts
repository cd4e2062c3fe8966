import type { Cell } from "./postfix-condition.ts";
import { formatClock, type ReferenceRow } from "./reference-rows.ts";
import { DAY_MS, HOUR_MS } from "./wall-clock.ts";

/** Value macros over sleep, by the formulas in docs/query.md. */

const AWAKE = 4;
const numberIn = (row: ReferenceRow, column: string) => {
  const cell = row.cells[column];
  return typeof cell === "number" ? cell : null;
};
const between = (least: number, value: number, most: number) => Math.min(most, Math.max(least, value));

/** A sleep cycle: its stages in seconds from the start of the session. */
interface Cycle {
  readonly stage_start_offset_second: readonly number[];
  readonly stage_end_offset_second: readonly number[];
  readonly stage_type: readonly number[];
}

interface Stage {
  readonly from: number;
  readonly to: number;
  readonly isAsleep: boolean;
  readonly isAwake: boolean;
}

function stagesOf(row: ReferenceRow): Stage[] | undefined {
  const cycle = row.cells.cycle as Cycle | undefined;
  return cycle?.stage_type.map((type, index) => ({
    from: cycle.stage_start_offset_second[index] ?? 0,
    to: cycle.stage_end_offset_second[index] ?? 0,
    isAsleep: type === 1 || type === 2 || type === 3,
    isAwake: type === AWAKE,
  }));
}

/** Counts the awake stages between stages of sleep. */
function awakenings(stages: readonly Stage[]): number {
  const known = stages.filter(({ isAsleep, isAwake }) => isAsleep || isAwake).toSorted((a, b) => a.from - b.from);
  const starts = known.map(({ isAwake }, index) => isAwake && known[index - 1]?.isAsleep === true);
  return starts.filter((isStart, index) => isStart && known.slice(index).some(({ isAsleep }) => isAsleep)).length;
}

/** The chronotype by the user's wall clock in the middle of the session. */
export function chronotypeOf({ instants, span, clockAt }: ReferenceRow): string | null {
  if (instants.session_start === undefined) return null;
  const middle = clockAt((span.from + span.to) / 2);
  const hour = (((middle % DAY_MS) + DAY_MS) % DAY_MS) / HOUR_MS;
  if (hour >= 17 || hour <= 3.5) return "lark";
  return hour <= 6 ? "third" : "owl";
}

/** The sleep score of a night, 0 to 100; null without sleep. */
export function sleepScoreOf(row: ReferenceRow): number | null {
  const asleep = numberIn(row, "stage_asleep_second");
  if (!asleep) return null;
  const duration = numberIn(row, "duration_second");
  const efficiency = numberIn(row, "efficiency") ?? (duration ? (100 * asleep) / duration : null);
  const [light, rem, deep] = ["light", "rem", "deep"].map((stage) => numberIn(row, `stage_${stage}_second`));
  const isStaged = (light ?? 0) + (rem ?? 0) + (deep ?? 0) > 0;
  const restful = isStaged ? ((rem ?? 0) + (deep ?? 0)) / (0.37 * asleep) : null;
  const parts = [
    { weight: 50, share: asleep / (8 * 3600) },
    { weight: 30, share: efficiency === null ? null : (efficiency - 65) / 20 },
    { weight: 20, share: restful },
  ];
  const known = parts.flatMap(({ weight, share }) => (share === null ? [] : [{ weight, share: between(0, share, 1) }]));
  const points = known.reduce((sum, { weight, share }) => sum + weight * share, 0);
  return Math.round((100 * points) / known.reduce((sum, { weight }) => sum + weight, 0));
}

/** The value of a macro for a sleep. */
export function macroValue(name: string, row: ReferenceRow): Cell {
  const stages = stagesOf(row);
  const { session_start: start = 0, session_end: end = 0 } = row.instants;
  if (name === "chronotype") return chronotypeOf(row);
  if (name === "sleep_score") return sleepScoreOf(row);
  if (name === "awakenings") return stages ? awakenings(stages) : null;
  if (name === "asleep_at") return formatClock(row.clockAt(start + (numberIn(row, "latency_second") ?? 0) * 1000));
  const asleep = stages?.filter(({ isAsleep }) => isAsleep).map(({ to }) => to) ?? [];
  return formatClock(row.clockAt(asleep.length > 0 ? start + Math.max(...asleep) * 1000 : end));
}
