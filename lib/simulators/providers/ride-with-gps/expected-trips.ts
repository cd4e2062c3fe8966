import { stableNumber } from "../base/stable-ids.ts";
import { selectAvailableData } from "../synthetic-data/available-data.ts";
import {
  type ExpectedRecords,
  expectedWorkoutFields,
  expectedWorkoutStream,
  omitFields,
} from "../synthetic-data/expected-records.ts";
import type { SyntheticDay, SyntheticPerson } from "../synthetic-data/synthetic-person.ts";
import type { SyntheticWorkout } from "../synthetic-data/synthetic-workout.ts";

/** The provider's user id of an account. */
export const rideWithGpsUserId = (account: string): number => stableNumber(`ride_with_gps ${account}`);

/** The provider's id of the trip of a day. */
export const tripId = ({ account }: SyntheticPerson, { date }: SyntheticDay): number =>
  stableNumber(`ride_with_gps ${account} trip ${date}`);

const movementFields = ["average_speed", "max_speed", "total_elevation_gain"];
const measuredFields = ["average_hr", "max_hr", "moving_time", "average_watts", "max_watts"];

/** The summary of a trip. A trip without movement states no distance. The provider rounds distances to metres. */
function expectedTrip(workout: SyntheticWorkout) {
  const isMoving = workout.sport.metresPerSecond > 0;
  const { distance, ...fields } = expectedWorkoutFields(workout, ...measuredFields, ...movementFields);
  return isMoving ? { ...fields, distance: Math.round(Number(distance)) } : omitFields(fields, ...movementFields);
}

/** Expected records: workouts with their streams. */
export function expectedTrips(person: SyntheticPerson, days: readonly SyntheticDay[], nowMs: number): ExpectedRecords {
  const { workouts } = selectAvailableData(days, nowMs);
  return {
    workouts: workouts.map(({ day, workout }) => ({
      ...expectedTrip(workout),
      title: workout.sport.name,
      calendar_date: day.date,
      provider_id: String(tripId(person, day)),
    })),
    workout_stream: workouts.map(({ day, workout }) => {
      const stream = expectedWorkoutStream(workout);
      return { ...stream, distance: stream.distance.map(Math.round), provider_id: String(tripId(person, day)) };
    }),
  };
}
