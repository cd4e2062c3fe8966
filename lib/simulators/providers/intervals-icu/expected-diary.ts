import { stableNumber } from "../base/stable-ids.ts";
import { selectAvailableData } from "../synthetic-data/available-data.ts";
import {
  type ExpectedRecords,
  expectedBody,
  expectedWorkoutFields,
  expectedWorkoutStream,
} from "../synthetic-data/expected-records.ts";
import type { SyntheticDay, SyntheticPerson } from "../synthetic-data/synthetic-person.ts";

/** The provider's id of an account. */
export const athleteId = (account: string): string => `i${stableNumber(`intervals_icu ${account}`)}`;

/** The provider's id of the activity of a day. */
export const activityId = ({ account }: SyntheticPerson, { date }: SyntheticDay): string =>
  `i${stableNumber(`intervals_icu ${account} activity ${date}`)}`;

const measuredFields = [
  ...["average_hr", "max_hr", "moving_time", "average_speed", "max_speed", "total_elevation_gain"],
  ...["elev_high", "elev_low", "average_watts"],
];

/** Expected records: workouts with their streams, and what the diary states for whole days. */
export function expectedDiary(person: SyntheticPerson, days: readonly SyntheticDay[], nowMs: number): ExpectedRecords {
  const { workouts, over, begun } = selectAvailableData(days, nowMs);
  return {
    workouts: workouts.map(({ day, workout }) => ({
      ...expectedWorkoutFields(workout, ...measuredFields),
      title: workout.sport.name,
      calendar_date: day.date,
      provider_id: activityId(person, day),
    })),
    workout_stream: workouts.map(({ day, workout }) => ({
      ...expectedWorkoutStream(workout),
      provider_id: activityId(person, day),
    })),
    activity: over.map(({ date, steps, restingBpm }) => ({
      calendar_date: date,
      steps,
      heart_rate: { resting_bpm: restingBpm },
    })),
    body: begun.map(expectedBody),
  };
}
