import { stableNumber } from "../frame/stable-uuid.ts";
import { knownOf } from "../plan/known-days.ts";
import type { PersonPlan, PlannedDay } from "../plan/person-plan.ts";
import {
  activityTruth,
  hypnogramTruth,
  only,
  pointTruth,
  profileTruth,
  sleepTruth,
  streamTruth,
  type Truth,
  workoutTruth,
} from "../plan/unified-truth.ts";

/** The provider's user id of an account. */
export function polarUserId(account: string): number {
  return stableNumber(`polar ${account}`);
}

/** The provider's id of the exercise of a day. */
export function exerciseId(plan: PersonPlan, day: PlannedDay): string {
  return stableNumber(`polar ${plan.account} exercise ${day.date}`).toString(36).toUpperCase();
}

/** Expected records of the watch. */
export function polarTruth(plan: PersonPlan, days: readonly PlannedDay[], nowMs: number): Truth {
  const { nights, over, workouts } = knownOf(days, nowMs);
  return {
    profile: [only(profileTruth(plan), "height", "sex", "gender", "birth_date")],
    activity: over.map((day) =>
      only(activityTruth(day), "calendar_date", "steps", "distance", "calories_active", "calories_total"),
    ),
    sleep: nights.map((day) => only(sleepTruth(day.sleep, day), ...nightFields)),
    hypnogram: nights.flatMap(({ sleep }) => hypnogramTruth(sleep)),
    heartrate: days.flatMap((day) => pointTruth(plan.heartRate(day).filter(({ atMs }) => atMs <= nowMs))),
    workouts: workouts.map(({ day, workout }) => ({
      ...only(workoutTruth(workout), ...workoutFields),
      provider_id: exerciseId(plan, day),
    })),
    workout_stream: workouts.map(({ day, workout }) => ({
      ...only(
        streamTruth(workout),
        "time",
        "heartrate",
        "distance",
        "altitude",
        "cadence",
        "power",
        "velocity_smooth",
        "lat",
        "lng",
      ),
      provider_id: exerciseId(plan, day),
    })),
  };
}

const nightFields = [
  "calendar_date",
  "bedtime_start",
  "bedtime_stop",
  "timezone_offset",
  "duration",
  "total",
  "awake",
  "light",
  "rem",
  "deep",
  "score",
  "hr_average",
  "average_hrv",
  "respiratory_rate",
];
const workoutFields = [
  "time_start",
  "time_end",
  "timezone_offset",
  "sport",
  "calories",
  "distance",
  "average_hr",
  "max_hr",
];
