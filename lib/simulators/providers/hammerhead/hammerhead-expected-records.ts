import { stableNumber, stableUuid } from "../base/stable-ids.ts";
import { type DayWithWorkout, selectAvailableData } from "../synthetic-data/available-data.ts";
import {
  type ExpectedRecords,
  expectedWorkoutFields,
  expectedWorkoutStream,
  omitFields,
} from "../synthetic-data/expected-records.ts";
import type { SyntheticDay, SyntheticPerson } from "../synthetic-data/synthetic-person.ts";

/** The provider's user id of an account. */
export const hammerheadUserId = (account: string): string => String(stableNumber(`hammerhead ${account}`));

/** The provider's id of the ride of a day. */
export const activityId = ({ account }: SyntheticPerson, { date }: SyntheticDay): string =>
  `${hammerheadUserId(account)}.activity.${stableUuid(`hammerhead ${account} ride ${date}`)}`;

/** Selects the rides that are available at an instant: the bike computer records nothing else. */
export const selectRides = (days: readonly SyntheticDay[], nowMs: number): DayWithWorkout[] =>
  selectAvailableData(days, nowMs).workouts.filter(({ workout }) => workout.sport.slug === "cycling");

/** Expected records of the bike computer. Its files state no time zone. */
export function expectedHammerheadRecords(
  person: SyntheticPerson,
  days: readonly SyntheticDay[],
  nowMs: number,
): ExpectedRecords {
  const rides = selectRides(days, nowMs);
  return {
    workouts: rides.map(({ day, workout }) => ({
      ...omitFields(expectedWorkoutFields(workout, "average_hr", "max_hr", "moving_time"), "timezone_offset"),
      provider_id: activityId(person, day),
    })),
    workout_stream: rides.map(({ day, workout }) => ({
      ...expectedWorkoutStream(workout),
      provider_id: activityId(person, day),
    })),
  };
}
