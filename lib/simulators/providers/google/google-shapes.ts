import type { PersonPlan, PlannedDay, PlannedReading, PlannedSpan } from "../plan/person-plan.ts";
import { GRID_MS, type PlannedSleep } from "../plan/planned-sleep.ts";

/** A data point: its value, and the times that filters compare, epoch ms. */
export interface GooglePoint {
  readonly id: string;
  readonly startMs: number;
  readonly endMs: number;
  readonly value: object;
}

/** A data type: its scope, its filter member, and the points of some days. */
export interface GoogleType {
  readonly scope: "activity_and_fitness" | "health_metrics_and_measurements" | "sleep";
  /** Filter member: interval start, sleep end, civil start of exercise, time of a sample, or date. */
  readonly member:
    | "interval.start_time"
    | "interval.end_time"
    | "interval.civil_start_time"
    | "sample_time.physical_time"
    | "date";
  pointsOf(plan: PersonPlan, days: readonly PlannedDay[], nowMs: number): readonly GooglePoint[];
  /** Aggregates points; absent for data types without roll-up. */
  rollUp?(points: readonly GooglePoint[]): object;
}

/** Formats an instant without fractions of a second. */
export const iso = (ms: number) => new Date(ms).toISOString().replace(".000", "");

/** Formats an interval with the UTC offsets of both ends. */
export function interval(plan: PersonPlan, startMs: number, endMs: number) {
  const offset = (ms: number) => `${plan.zone.offsetS(ms)}s`;
  return { startTime: iso(startMs), startUtcOffset: offset(startMs), endTime: iso(endMs), endUtcOffset: offset(endMs) };
}

/** Formats an integer field: 64-bit integers are strings in JSON. */
export const counted =
  (name: string, scale = 1) =>
  (value: number) => ({ [name]: String(Math.round(value * scale)) });
/** Formats a floating-point field. */
export const measured =
  (name: string, scale = 1) =>
  (value: number) => ({ [name]: value * scale });

/** Builds points of intervals. */
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

/** Builds points of samples. */
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

/** Builds a roll-up that sums a field, as string or number. */
export function summed(name: string, as: string, isText = true): (points: readonly GooglePoint[]) => object {
  return (points) => {
    const sum = points.reduce((all, { value }) => all + Number(Reflect.get(value, name)), 0);
    return { [as]: isText ? String(sum) : sum };
  };
}

/** Distributes a daily total over the intervals of the day's steps. The parts sum up to the total. */
export const alongSteps = (wholeOf: (day: PlannedDay) => number) => (plan: PersonPlan, day: PlannedDay) => {
  const quarters = plan.steps(day);
  const each = Math.floor(wholeOf(day) / quarters.length);
  const first = wholeOf(day) - each * (quarters.length - 1);
  return quarters.map((quarter, index) => ({ ...quarter, value: index === 0 ? first : each }));
};
/** One reading per day, at 7:30. */
export const inTheMorning = (valueOfDay: (day: PlannedDay) => number) => (plan: PersonPlan, day: PlannedDay) => [
  { atMs: plan.zone.instant(day.day, 450), value: valueOfDay(day) },
];
/** Readings every 5 minutes of a night. */
export const ofNight =
  (valuesOf: (sleep: PlannedSleep) => readonly number[]) =>
  (_: PersonPlan, { sleep }: PlannedDay) =>
    valuesOf(sleep).map((value, step) => ({ atMs: sleep.startMs + step * GRID_MS, value }));

/** Converts the name of a data type to its JSON member name. */
export function memberName(kind: string): string {
  return kind.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}
