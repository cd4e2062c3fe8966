import { formatWallTime } from "../base/local-time.ts";
import type { DayWithWorkout } from "../synthetic-data/available-data.ts";
import { type SyntheticPerson, TIME_ZONE } from "../synthetic-data/synthetic-person.ts";
import { type SyntheticWorkout, summarizeWorkout } from "../synthetic-data/synthetic-workout.ts";
import { concept2UserId, findErg, resultId } from "./concept2-expected-records.ts";

/** Formats the end of a workout as the logbook does: local time without an offset. */
export const formatDate = (ms: number, offsetS: number): string =>
  formatWallTime(ms, offsetS).replace("T", " ").slice(0, 19);

/** A result: its date is the end of the workout, its time counts tenths of a second. */
export function toResult(person: SyntheticPerson, { day, workout }: DayWithWorkout) {
  const { seconds, distanceM, averageBpm, maxBpm } = summarizeWorkout(workout);
  const minBpm = Math.min(...workout.points.map(({ bpm }) => bpm));
  const heart_rate = { average: averageBpm, min: minBpm, max: maxBpm, ending: workout.points.at(-1)?.bpm };
  const totals = {
    time: seconds * 10,
    distance: Math.round(distanceM),
    calories_total: workout.kcal,
    stroke_rate: workout.sport.cadence,
    heart_rate,
  };
  return {
    id: resultId(person, day),
    user_id: concept2UserId(person.account),
    date: formatDate(workout.endMs, workout.offsetS),
    timezone: TIME_ZONE,
    date_utc: formatDate(workout.endMs, 0),
    type: findErg(workout)?.type,
    time_formatted: formatDuration(seconds),
    workout_type: "JustRow",
    source: "ErgData iOS",
    weight_class: "H",
    verified: true,
    ranked: false,
    comments: null,
    privacy: "private",
    ...totals,
    stroke_data: true,
    stroke_count: Math.round((workout.sport.cadence * seconds) / 60),
    drag_factor: 118,
    workout: { splits: [{ type: "time", ...totals }], targets: { heart_rate_zone: 0 } },
    real_time: null,
  };
}

/** The strokes of a result: tenths of a second, decimetres, and the pace in tenths of a second. */
export function toStrokes(workout: SyntheticWorkout) {
  const paceM = findErg(workout)?.paceM ?? 500;
  return workout.points.map(({ atMs, distanceM, cadence, bpm }) => ({
    t: (atMs - workout.startMs) / 100,
    d: Math.round(distanceM * 10),
    p: Math.round((paceM / workout.sport.metresPerSecond) * 10),
    spm: cadence,
    hr: bpm,
  }));
}

function formatDuration(seconds: number): string {
  const two = (value: number) => String(value).padStart(2, "0");
  return `${Math.floor(seconds / 60)}:${two(seconds % 60)}.0`;
}
