import { MINUTE_MS } from "../../domain/shared/durations.ts";
import type { DemoPerson } from "./demo-person.ts";
import { randomBetween, randomInteger, randomNoise } from "./seeded-random.ts";
import { isWeekend, type ZoneCalendar } from "./zone-calendar.ts";

/** The sleep stages that devices distinguish. */
export type SleepStage = "awake" | "light" | "deep" | "rem";

/** An interval of one stage, epoch ms. */
interface StageSegment {
  readonly startMs: number;
  readonly endMs: number;
  readonly stage: SleepStage;
}

/** The time in bed, epoch ms. The segments cover it without gaps. */
export interface SimulatedNight {
  readonly startMs: number;
  readonly endMs: number;
  readonly segments: readonly StageSegment[];
}

/** More cycles than fit in the longest night. */
const MAX_CYCLES = 12;

/**
 * Simulates the night that ends on a day: around the person's usual times, later on weekends. Bedtime may be before or
 * after midnight. Sleep consists of cycles of about 90 minutes, with most deep sleep early and most REM sleep late.
 */
export function simulateNight(person: DemoPerson, zone: ZoneCalendar, day: number): SimulatedNight {
  const { random } = person;
  const isLate = isWeekend(day);
  const bedMinute =
    person.bedMinute +
    (isLate ? randomBetween(random, "late to bed", day, 20, 60) : 0) +
    14 * randomNoise(random, "bed", day);
  const wakeMinute =
    person.wakeMinute +
    (isLate ? randomBetween(random, "late up", day, 30, 90) : 0) +
    10 * randomNoise(random, "wake", day);
  const startMs = zone.instantAt(day, Math.round(bedMinute));
  const endMs = zone.instantAt(day, Math.round(wakeMinute));
  return { startMs, endMs, segments: toSegments(startMs, endMs, stageSequence(person, day)) };
}

/** Returns true if an instant is within a night. */
export function isWithinNight(night: SimulatedNight, ms: number): boolean {
  return night.startMs <= ms && ms < night.endMs;
}

type StageSequence = readonly (readonly [SleepStage, minutes: number])[];

/** The sequence of stages of an unlimited night. */
function stageSequence(person: DemoPerson, day: number): StageSequence {
  const falling = randomInteger(person.random, "fall asleep", day, 4, 22);
  const cycles = Array.from({ length: MAX_CYCLES }, (_, cycle) => sleepCycle(person, day, cycle));
  return [["awake", falling], ...cycles.flat()];
}

function sleepCycle({ random: draw }: DemoPerson, day: number, cycle: number): StageSequence {
  const place = day * MAX_CYCLES + cycle;
  const hasAwakening = draw("wakes", place) < 0.45;
  const deep = randomInteger(draw, "deep", place, 28, 42) - 9 * cycle;
  return [
    ["light", randomInteger(draw, "light", place, 16, 30)],
    ...(deep > 0 ? [["deep", deep] as const] : []),
    ["light", randomInteger(draw, "light again", place, 12, 24)],
    ["rem", randomInteger(draw, "rem", place, 6, 12) + 6 * Math.min(cycle, 4)],
    ...(hasAwakening ? [["awake", randomInteger(draw, "awake", place, 1, 5)] as const] : []),
  ];
}

function toSegments(startMs: number, endMs: number, course: StageSequence): StageSegment[] {
  const segments: StageSegment[] = [];
  let atMs = startMs;
  for (const [stage, minutes] of course) {
    if (atMs >= endMs) break;
    const untilMs = Math.min(endMs, atMs + minutes * MINUTE_MS);
    segments.push({ startMs: atMs, endMs: untilMs, stage });
    atMs = untilMs;
  }
  return segments;
}
