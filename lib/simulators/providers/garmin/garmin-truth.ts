import { stableNumber, stableUuid } from "../frame/stable-uuid.ts";
import { knownOf } from "../plan/known-days.ts";
import type { PersonPlan, PlannedDay } from "../plan/person-plan.ts";
import {
  activityTruth,
  bodyTruth,
  hypnogramTruth,
  only,
  pointTruth,
  sleepTruth,
  spanTruth,
  streamTruth,
  type Truth,
  without,
  workoutTruth,
} from "../plan/unified-truth.ts";

/** The provider's user id of an account. */
export function garminUserId(account: string): string {
  return stableUuid(`garmin ${account}`);
}

/** The provider's id of a summary of a day; stable across repeated pushes. */
export function summaryId(plan: PersonPlan, kind: string, day: PlannedDay): string {
  return `x${stableNumber(`garmin ${plan.account} ${kind}`).toString(16)}-${day.day.toString(16)}`;
}

/** Expected records of the watch. */
export function garminTruth(plan: PersonPlan, days: readonly PlannedDay[], nowMs: number): Truth {
  const { nights, over, workouts } = knownOf(days, nowMs);
  return {
    activity: over.map((day) => ({
      ...only(activityTruth(day), ...dayFields),
      heart_rate: { avg_bpm: meanBpm(plan, day), resting_bpm: day.restingBpm },
    })),
    steps: over.flatMap((day) => spanTruth(plan.steps(day))),
    body: over.map(bodyTruth),
    heartrate: pointTruth(over.flatMap((day) => plan.heartRate(day))),
    stress_level: over.map((day) => ({ calendar_date: day.date, value: day.stressPercent })),
    sleep: nights.map((day) => ({
      ...without(sleepTruth(day.sleep, day), ...notTold),
      state: "confirmed",
      provider_id: summaryId(plan, "sleep", day),
    })),
    hypnogram: nights.flatMap(({ sleep }) => hypnogramTruth(sleep)),
    workouts: workouts.map(({ day, workout }) => ({
      ...only(workoutTruth(workout), ...workoutFields),
      provider_id: summaryId(plan, "activity", day),
    })),
    workout_stream: workouts.map(({ day, workout }) => ({
      ...streamTruth(workout),
      provider_id: summaryId(plan, "activity", day),
    })),
  };
}

function meanBpm(plan: PersonPlan, day: PlannedDay): number {
  const beats = plan.heartRate(day);
  return Math.round((10 * beats.reduce((sum, { value }) => sum + value, 0)) / beats.length) / 10;
}

const dayFields = [
  "calendar_date",
  "steps",
  "distance",
  "calories_active",
  "calories_total",
  "medium",
  "high",
  "floors_climbed",
];
/** Sleep fields that Garmin does not report. */
const notTold = ["latency", "efficiency", "hr_lowest", "hr_average", "average_hrv", "respiratory_rate"];
const workoutFields = [
  "time_start",
  "time_end",
  "timezone_offset",
  "sport",
  "calories",
  "distance",
  "average_hr",
  "max_hr",
  "average_speed",
  "max_speed",
  "total_elevation_gain",
];
