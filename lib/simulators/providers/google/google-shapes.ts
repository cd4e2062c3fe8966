import type { PersonPlan, PlannedDay, PlannedReading, PlannedSpan } from "../plan/person-plan.ts";
import { GRID_MS, type PlannedSleep } from "../plan/planned-sleep.ts";

/** A data point: its value, and the times by which it can be asked for, epoch ms. */
export interface GooglePoint {
  readonly id: string;
  readonly startMs: number;
  readonly endMs: number;
  readonly value: object;
}

/** A kind of data: its scope, the member by which filters ask for it, and its points of some days. */
export interface GoogleType {
  readonly scope: "activity_and_fitness" | "health_metrics_and_measurements" | "sleep";
  /** Times in filters: of an interval by begin, of sleep by end, of exercise by the user's clocks, of a sample, of a day. */
  readonly member:
    | "interval.start_time"
    | "interval.end_time"
    | "interval.civil_start_time"
    | "sample_time.physical_time"
    | "date";
  pointsOf(plan: PersonPlan, days: readonly PlannedDay[], nowMs: number): readonly GooglePoint[];
  /** What a roll-up tells of some points; left out where there is none. */
  rollUp?(points: readonly GooglePoint[]): object;
}

/** An instant without a fraction. */
export const iso = (ms: number) => new Date(ms).toISOString().replace(".000", "");

/** A stretch of time with the offsets of both ends. */
export function interval(plan: PersonPlan, startMs: number, endMs: number) {
  const offset = (ms: number) => `${plan.zone.offsetS(ms)}s`;
  return { startTime: iso(startMs), startUtcOffset: offset(startMs), endTime: iso(endMs), endUtcOffset: offset(endMs) };
}

/** Numbers of 64 bits are texts in JSON. */
export const counted =
  (name: string, scale = 1) =>
  (value: number) => ({ [name]: String(Math.round(value * scale)) });
/** A number with a fraction. */
export const measured =
  (name: string, scale = 1) =>
  (value: number) => ({ [name]: value * scale });

/** Points of stretches of time. */
export function spans(
  spansOf: (plan: PersonPlan, day: PlannedDay) => readonly PlannedSpan[],
  fields: (value: number) => object,
): GoogleType["pointsOf"] {
  return (plan, days, nowMs) =>
    days
      .flatMap((day) => spansOf(plan, day))
      .filter(({ endMs }) => endMs <= nowMs)
      .map(({ startMs, endMs, value }) => ({
        id: String(startMs),
        startMs,
        endMs,
        value: { interval: interval(plan, startMs, endMs), ...fields(value) },
      }));
}

/** Points of instants. */
export function samples(
  readingsOf: (plan: PersonPlan, day: PlannedDay) => readonly PlannedReading[],
  fields: (value: number) => object,
): GoogleType["pointsOf"] {
  return (plan, days, nowMs) =>
    days
      .flatMap((day) => readingsOf(plan, day))
      .filter(({ atMs }) => atMs <= nowMs)
      .map(({ atMs, value }) => {
        const sampleTime = { physicalTime: iso(atMs), utcOffset: `${plan.zone.offsetS(atMs)}s` };
        return { id: String(atMs), startMs: atMs, endMs: atMs, value: { sampleTime, ...fields(value) } };
      });
}

/** The sum of a field that is a text or a number. */
export function summed(name: string, as: string, isText = true): (points: readonly GooglePoint[]) => object {
  return (points) => {
    const sum = points.reduce((all, { value }) => all + Number(Reflect.get(value, name)), 0);
    return { [as]: isText ? String(sum) : sum };
  };
}

/** Shares of the day that lie as its steps do, so that they add up to the whole. */
export const alongSteps = (wholeOf: (day: PlannedDay) => number) => (plan: PersonPlan, day: PlannedDay) => {
  const quarters = plan.steps(day);
  const each = Math.floor(wholeOf(day) / quarters.length);
  const first = wholeOf(day) - each * (quarters.length - 1);
  return quarters.map((quarter, index) => ({ ...quarter, value: index === 0 ? first : each }));
};
/** One value a day, at 7:30. */
export const inTheMorning = (valueOfDay: (day: PlannedDay) => number) => (plan: PersonPlan, day: PlannedDay) => [
  { atMs: plan.zone.instant(day.day, 450), value: valueOfDay(day) },
];
/** Values of every 5 minutes of a night. */
export const ofNight =
  (valuesOf: (sleep: PlannedSleep) => readonly number[]) =>
  (_: PersonPlan, { sleep }: PlannedDay) =>
    valuesOf(sleep).map((value, step) => ({ atMs: sleep.startMs + step * GRID_MS, value }));

/** The name of a kind as members of JSON have it. */
export function memberName(kind: string): string {
  return kind.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}
