import type {
  SyntheticDay,
  SyntheticInterval,
  SyntheticPerson,
  SyntheticReading,
} from "../synthetic-data/synthetic-person.ts";
import { SAMPLE_INTERVAL_MS, type SyntheticSleep } from "../synthetic-data/synthetic-sleep.ts";

/** A data point: its value, and the times that filters compare, epoch ms. */
export interface GooglePoint {
  readonly id: string;
  readonly startMs: number;
  readonly endMs: number;
  readonly value: object;
}

/** A data type: its scope, its filter member, and the points of some days. */
export interface GoogleDataType {
  readonly scope: "activity_and_fitness" | "health_metrics_and_measurements" | "sleep";
  /** Filter member: interval start, sleep end, civil start of exercise, time of a sample, or date. */
  readonly member:
    | "interval.start_time"
    | "interval.end_time"
    | "interval.civil_start_time"
    | "sample_time.physical_time"
    | "date";
  listPoints(person: SyntheticPerson, days: readonly SyntheticDay[], nowMs: number): readonly GooglePoint[];
  /** Aggregates points; absent for data types without roll-up. */
  rollUp?(points: readonly GooglePoint[]): object;
}

/** Formats an instant without fractions of a second. */
export const formatIsoSeconds = (ms: number) => new Date(ms).toISOString().replace(".000", "");

/** Formats an interval with the UTC offsets of both ends. */
export function toGoogleInterval(plan: SyntheticPerson, startMs: number, endMs: number) {
  const offset = (ms: number) => `${plan.zone.offsetS(ms)}s`;
  return {
    startTime: formatIsoSeconds(startMs),
    startUtcOffset: offset(startMs),
    endTime: formatIsoSeconds(endMs),
    endUtcOffset: offset(endMs),
  };
}

/** Formats an integer field: 64-bit integers are strings in JSON. */
export const integerField =
  (name: string, scale = 1) =>
  (value: number) => ({ [name]: String(Math.round(value * scale)) });
/** Formats a floating-point field. */
export const numberField =
  (name: string, scale = 1) =>
  (value: number) => ({ [name]: value * scale });

/** Builds points of intervals. */
export function intervalPoints(
  spansOf: (plan: SyntheticPerson, day: SyntheticDay) => readonly SyntheticInterval[],
  fields: (value: number) => object,
): GoogleDataType["listPoints"] {
  return (plan, days, nowMs) =>
    days
      .flatMap((day) => spansOf(plan, day))
      .filter(({ endMs }) => endMs <= nowMs)
      .map(({ startMs, endMs, value }) => ({
        id: String(startMs),
        startMs,
        endMs,
        value: { interval: toGoogleInterval(plan, startMs, endMs), ...fields(value) },
      }));
}

/** Builds points of samples. */
export function samplePoints(
  readingsOf: (plan: SyntheticPerson, day: SyntheticDay) => readonly SyntheticReading[],
  fields: (value: number) => object,
): GoogleDataType["listPoints"] {
  return (plan, days, nowMs) =>
    days
      .flatMap((day) => readingsOf(plan, day))
      .filter(({ atMs }) => atMs <= nowMs)
      .map(({ atMs, value }) => {
        const sampleTime = { physicalTime: formatIsoSeconds(atMs), utcOffset: `${plan.zone.offsetS(atMs)}s` };
        return { id: String(atMs), startMs: atMs, endMs: atMs, value: { sampleTime, ...fields(value) } };
      });
}

/** Builds a roll-up that sums a field, as string or number. */
export function sumField(name: string, as: string, isText = true): (points: readonly GooglePoint[]) => object {
  return (points) => {
    const sum = points.reduce((all, { value }) => all + Number(Reflect.get(value, name)), 0);
    return { [as]: isText ? String(sum) : sum };
  };
}

/** Distributes a daily total over the intervals of the day's steps. The parts sum up to the total. */
export const distributeOverSteps =
  (wholeOf: (day: SyntheticDay) => number) => (plan: SyntheticPerson, day: SyntheticDay) => {
    const quarters = plan.steps(day);
    const each = Math.floor(wholeOf(day) / quarters.length);
    const first = wholeOf(day) - each * (quarters.length - 1);
    return quarters.map((quarter, index) => ({ ...quarter, value: index === 0 ? first : each }));
  };
/** One reading per day, at 7:30. */
export const morningReading =
  (valueOfDay: (day: SyntheticDay) => number) => (plan: SyntheticPerson, day: SyntheticDay) => [
    { atMs: plan.zone.instantAt(day.day, 450), value: valueOfDay(day) },
  ];
/** Readings every 5 minutes of a night. */
export const nightReadings =
  (valuesOf: (sleep: SyntheticSleep) => readonly number[]) =>
  (_: SyntheticPerson, { sleep }: SyntheticDay) =>
    valuesOf(sleep).map((value, step) => ({ atMs: sleep.startMs + step * SAMPLE_INTERVAL_MS, value }));

/** Converts the name of a data type to its JSON member name. */
export function jsonMemberName(kind: string): string {
  return kind.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}
