import { stableNumber } from "../frame/stable-uuid.ts";
import { knownOf } from "../plan/known-days.ts";
import type { PersonPlan, PlannedDay } from "../plan/person-plan.ts";
import { only, profileTruth, streamTruth, type Truth, workoutTruth } from "../plan/unified-truth.ts";

/** The provider's user id of an account. */
export function wahooUserId(account: string): number {
  return stableNumber(`wahoo ${account}`);
}

/** The provider's id of the workout of a day. */
export function wahooWorkoutId(plan: PersonPlan, day: PlannedDay): number {
  return stableNumber(`wahoo ${plan.account} workout ${day.date}`);
}

/** Expected records of the bike computer. Positions in FIT files have a resolution of about one centimetre. */
export function wahooTruth(plan: PersonPlan, days: readonly PlannedDay[], nowMs: number): Truth {
  const { workouts } = knownOf(days, nowMs);
  return {
    profile: [only(profileTruth(plan), "height", "birth_date", "sex", "gender")],
    workouts: workouts.map(({ day, workout }) => ({
      ...only(
        workoutTruth(workout),
        "time_start",
        "time_end",
        "sport",
        "calories",
        "distance",
        "average_hr",
        "moving_time",
        "average_speed",
        "total_elevation_gain",
        "average_watts",
      ),
      provider_id: String(wahooWorkoutId(plan, day)),
    })),
    workout_stream: workouts.map(({ day, workout }) => ({
      ...streamTruth(workout),
      provider_id: String(wahooWorkoutId(plan, day)),
    })),
  };
}
