import { stableNumber } from "../frame/stable-uuid.ts";
import { knownOf } from "../plan/known-days.ts";
import type { PersonPlan, PlannedDay } from "../plan/person-plan.ts";
import {
  bodyTruth,
  only,
  profileTruth,
  streamTruth,
  type Truth,
  without,
  workoutTruth,
} from "../plan/unified-truth.ts";

/** The provider's user id of an account. */
export function stravaUserId(account: string): number {
  return stableNumber(`strava ${account}`);
}

/** The provider's id of the activity of a day. */
export function activityId(plan: PersonPlan, day: PlannedDay): number {
  return stableNumber(`strava ${plan.account} activity ${day.date}`);
}

/** Expected records: profile, weight, and workouts with their streams. */
export function stravaTruth(plan: PersonPlan, days: readonly PlannedDay[], nowMs: number): Truth {
  const { workouts } = knownOf(days, nowMs);
  const today = plan.day(plan.zone.dayOf(nowMs));
  return {
    profile: [only(profileTruth(plan), "sex")],
    body: [only(bodyTruth(today), "calendar_date", "weight")],
    workouts: workouts.map(({ day, workout }) => ({
      ...without(workoutTruth(workout), "hr_zones"),
      title: workout.sport.name,
      calendar_date: day.date,
      provider_id: String(activityId(plan, day)),
    })),
    workout_stream: workouts.map(({ day, workout }) => ({
      ...streamTruth(workout),
      provider_id: String(activityId(plan, day)),
    })),
  };
}
