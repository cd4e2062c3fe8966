import { between, noise, wholeBetween } from "./draws.ts";
import type { Person } from "./person.ts";
import { isWeekend, MINUTE_MS, type ZoneDays } from "./zone-days.ts";

/** The sleep stages that devices distinguish. */
export type SleepStage = "awake" | "light" | "deep" | "rem";

/** An interval of one stage, epoch ms. */
export interface SleepSegment {
  readonly startMs: number;
  readonly endMs: number;
  readonly stage: SleepStage;
}

/** The time in bed, epoch ms. The segments cover it without gaps. */
export interface Night {
  readonly startMs: number;
  readonly endMs: number;
  readonly segments: readonly SleepSegment[];
}

/** More cycles than fit in the longest night. */
const MOST_CYCLES = 12;

/**
 * Simulates the night that ends on a day: around the person's usual times, later on weekends. Bedtime may be before or
 * after midnight. Sleep consists of cycles of about 90 minutes, with most deep sleep early and most REM sleep late.
 */
export function nightBefore(person: Person, zone: ZoneDays, day: number): Night {
  const { draw, bedMinute, wakeMinute } = person;
  const isLate = isWeekend(day);
  const bed = bedMinute + (isLate ? between(draw, "late to bed", day, 20, 60) : 0) + 14 * noise(draw, "bed", day);
  const wake = wakeMinute + (isLate ? between(draw, "late up", day, 30, 90) : 0) + 10 * noise(draw, "wake", day);
  const startMs = zone.instant(day, Math.round(bed));
  const endMs = zone.instant(day, Math.round(wake));
  return { startMs, endMs, segments: segmentsOf(startMs, endMs, courseOf(person, day)) };
}

/** Returns true if an instant is within a night. */
export function isDuring(night: Night, ms: number): boolean {
  return night.startMs <= ms && ms < night.endMs;
}

type Course = readonly (readonly [SleepStage, minutes: number])[];

/** The sequence of stages of an unlimited night. */
function courseOf(person: Person, day: number): Course {
  const falling = wholeBetween(person.draw, "fall asleep", day, 4, 22);
  const cycles = Array.from({ length: MOST_CYCLES }, (_, cycle) => cycleOf(person, day, cycle));
  return [["awake", falling], ...cycles.flat()];
}

function cycleOf({ draw }: Person, day: number, cycle: number): Course {
  const place = day * MOST_CYCLES + cycle;
  const wakes = draw("wakes", place) < 0.45;
  const deep = wholeBetween(draw, "deep", place, 28, 42) - 9 * cycle;
  return [
    ["light", wholeBetween(draw, "light", place, 16, 30)],
    ...(deep > 0 ? [["deep", deep] as const] : []),
    ["light", wholeBetween(draw, "light again", place, 12, 24)],
    ["rem", wholeBetween(draw, "rem", place, 6, 12) + 6 * Math.min(cycle, 4)],
    ...(wakes ? [["awake", wholeBetween(draw, "awake", place, 1, 5)] as const] : []),
  ];
}

function segmentsOf(startMs: number, endMs: number, course: Course): SleepSegment[] {
  const segments: SleepSegment[] = [];
  let atMs = startMs;
  for (const [stage, minutes] of course) {
    if (atMs >= endMs) break;
    const untilMs = Math.min(endMs, atMs + minutes * MINUTE_MS);
    segments.push({ startMs: atMs, endMs: untilMs, stage });
    atMs = untilMs;
  }
  return segments;
}
