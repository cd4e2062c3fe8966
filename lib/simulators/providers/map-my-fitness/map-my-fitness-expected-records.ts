import { stableNumber } from "../base/stable-ids.ts";
import { selectAvailableData } from "../synthetic-data/available-data.ts";
import {
  type ExpectedRecords,
  expectedWorkoutFields,
  expectedWorkoutStream,
} from "../synthetic-data/expected-records.ts";
import type { SyntheticDay, SyntheticPerson } from "../synthetic-data/synthetic-person.ts";

/** The provider's user id of an account. */
export const mapMyFitnessUserId = (account: string): string => String(stableNumber(`map_my_fitness ${account}`));

/** The provider's id of the workout of a day. */
export const mapMyFitnessWorkoutId = ({ account }: SyntheticPerson, { date }: SyntheticDay): string =>
  String(stableNumber(`map_my_fitness ${account} workout ${date}`));

const measuredFields = [
  ...["average_hr", "max_hr", "moving_time", "average_speed", "max_speed"],
  ...["average_watts", "max_watts"],
];

/** Expected records: workouts with their streams. */
export function expectedMapMyFitnessRecords(
  person: SyntheticPerson,
  days: readonly SyntheticDay[],
  nowMs: number,
): ExpectedRecords {
  const { workouts } = selectAvailableData(days, nowMs);
  return {
    workouts: workouts.map(({ day, workout }) => ({
      ...expectedWorkoutFields(workout, ...measuredFields),
      title: workout.sport.name,
      calendar_date: day.date,
      provider_id: mapMyFitnessWorkoutId(person, day),
    })),
    workout_stream: workouts.map(({ day, workout }) => ({
      ...expectedWorkoutStream(workout),
      provider_id: mapMyFitnessWorkoutId(person, day),
    })),
  };
}
