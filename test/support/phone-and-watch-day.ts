import type { SampleRow } from "../../lib/domain/queries/rows/rows.ts";

/**
 * A day with a phone and a watch, after a report by users of another product (14,079 steps taken, 4,157 shown). The
 * user carried the phone from morning to night but left it at home for a run. The user wore the watch from late
 * afternoon until its battery was empty. So each device alone is wrong, their sum counts the shared hours twice, and
 * only a merge by minute is correct.
 */
export const actualSteps = { steps: 14_079, watchAlone: 4_157, sum: 16_389 } as const;

const DAY = "2026-03-10";
const TEN_MINUTES = 10;
/** Hour, steps in that hour. */
const phoneOnlyHours = [
  [7, 1_204],
  [8, 2_318],
  [12, 3_406],
  [15, 1_894],
  [22, 1_100],
] as const;
/** Hours with both: steps by the watch on the wrist, and by the phone, which sometimes lay on the desk. */
const overlap = [
  [17, 1_020, 980],
  [19, 1_402, 1_330],
] as const;
const watchOnlyHours = [[18, 1_735]] as const;

/** The steps of an hour in equal intervals. The first interval gets the remainder. */
function hourOf(hour: number, steps: number, minutes: number, source: SampleRow["source"]): SampleRow[] {
  const parts = 60 / minutes;
  const each = Math.floor(steps / parts);
  return Array.from({ length: parts }, (_, part) => {
    const at = Date.parse(`${DAY}T00:00:00Z`) + (hour * 60 + part * minutes) * 60_000;
    return {
      timestamp: new Date(at).toISOString(),
      end: new Date(at + minutes * 60_000).toISOString(),
      value: part === 0 ? steps - each * (parts - 1) : each,
      timezone_offset: 0,
      source,
    };
  });
}

export const phoneSource = { provider: "apple_health_kit", type: "phone" } as const;
export const watchSource = { provider: "garmin", type: "watch" } as const;

export const phoneSteps: readonly SampleRow[] = [
  ...phoneOnlyHours.flatMap(([hour, steps]) => hourOf(hour, steps, TEN_MINUTES, phoneSource)),
  ...overlap.flatMap(([hour, , steps]) => hourOf(hour, steps, TEN_MINUTES, phoneSource)),
];

export const watchSteps: readonly SampleRow[] = [
  ...overlap.flatMap(([hour, steps]) => hourOf(hour, steps, 1, watchSource)),
  ...watchOnlyHours.flatMap(([hour, steps]) => hourOf(hour, steps, 1, watchSource)),
];
