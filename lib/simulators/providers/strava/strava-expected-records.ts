import { stableNumber } from "../base/stable-ids.ts";
import { selectAvailableData } from "../synthetic-data/available-data.ts";
import {
  type ExpectedRecords,
  expectedBody,
  expectedProfile,
  expectedWorkout,
  expectedWorkoutStream,
  omitFields,
  pickFields,
} from "../synthetic-data/expected-records.ts";
import type { SyntheticDay, SyntheticPerson } from "../synthetic-data/synthetic-person.ts";

/** The provider's user id of an account. */
export function stravaUserId(account: string): number {
  return stableNumber(`strava ${account}`);
}

/** The provider's id of the activity of a day. */
export function activityId(person: SyntheticPerson, day: SyntheticDay): number {
  return stableNumber(`strava ${person.account} activity ${day.date}`);
}

/** Expected records: profile, weight, and workouts with their streams. */
export function expectedStravaRecords(
  plan: SyntheticPerson,
  days: readonly SyntheticDay[],
  nowMs: number,
): ExpectedRecords {
  const { workouts } = selectAvailableData(days, nowMs);
  const today = plan.day(plan.zone.dayAt(nowMs));
  return {
    profile: [pickFields(expectedProfile(plan), "sex")],
    body: [pickFields(expectedBody(today), "calendar_date", "weight")],
    workouts: workouts.map(({ day, workout }) => ({
      ...omitFields(expectedWorkout(workout), "hr_zones"),
      title: workout.sport.name,
      calendar_date: day.date,
      provider_id: String(activityId(plan, day)),
    })),
    workout_stream: workouts.map(({ day, workout }) => ({
      ...expectedWorkoutStream(workout),
      provider_id: String(activityId(plan, day)),
    })),
  };
}
