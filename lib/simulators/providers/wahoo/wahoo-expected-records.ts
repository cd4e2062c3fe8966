import { stableNumber } from "../base/stable-ids.ts";
import { selectAvailableData } from "../synthetic-data/available-data.ts";
import {
  type ExpectedRecords,
  expectedProfile,
  expectedWorkoutFields,
  expectedWorkoutStream,
  omitFields,
  pickFields,
} from "../synthetic-data/expected-records.ts";
import type { SyntheticDay, SyntheticPerson } from "../synthetic-data/synthetic-person.ts";

/** The provider's user id of an account. */
export function wahooUserId(account: string): number {
  return stableNumber(`wahoo ${account}`);
}

/** The provider's id of the workout of a day. */
export function wahooWorkoutId(person: SyntheticPerson, day: SyntheticDay): number {
  return stableNumber(`wahoo ${person.account} workout ${day.date}`);
}

/** Expected records of the bike computer. Positions in FIT files have a resolution of about one centimetre. */
export function expectedWahooRecords(
  plan: SyntheticPerson,
  days: readonly SyntheticDay[],
  nowMs: number,
): ExpectedRecords {
  const { workouts } = selectAvailableData(days, nowMs);
  return {
    profile: [pickFields(expectedProfile(plan), "height", "birth_date", "sex", "gender")],
    workouts: workouts.map(({ day, workout }) => ({
      ...omitFields(expectedWorkoutFields(workout, ...workoutFields), "timezone_offset"),
      provider_id: String(wahooWorkoutId(plan, day)),
    })),
    workout_stream: workouts.map(({ day, workout }) => ({
      ...expectedWorkoutStream(workout),
      provider_id: String(wahooWorkoutId(plan, day)),
    })),
  };
}

const workoutFields = ["average_hr", "moving_time", "average_speed", "total_elevation_gain", "average_watts"];
