import { stableNumber } from "../base/stable-ids.ts";
import { selectAvailableData } from "../synthetic-data/available-data.ts";
import {
  type ExpectedRecord,
  type ExpectedRecords,
  expectedProfile,
  expectedWorkoutFields,
  expectedWorkoutStream,
  omitFields,
  pickFields,
} from "../synthetic-data/expected-records.ts";
import type { SyntheticDay, SyntheticPerson } from "../synthetic-data/synthetic-person.ts";
import type { SyntheticWorkout } from "../synthetic-data/synthetic-workout.ts";

/** A machine: its type in results, and its sport in the unified model. */
interface Erg {
  readonly type: "rower" | "skierg" | "bike";
  readonly sport: ExpectedRecord;
  /** The length to which the pace of a stroke refers, m. */
  readonly paceM: number;
}

const ergs: Readonly<Record<SyntheticWorkout["sport"]["slug"], Erg | undefined>> = {
  running: { type: "rower", sport: { name: "Indoor rowing", slug: "indoor_rowing" }, paceM: 500 },
  walking: { type: "skierg", sport: { name: "Indoor skiing", slug: "indoor_skiing" }, paceM: 500 },
  cycling: { type: "bike", sport: { name: "Indoor cycling", slug: "indoor_cycling" }, paceM: 1_000 },
  strength_training: undefined,
};

/** The machine of a workout; undefined for a workout without a machine. */
export const findErg = ({ sport }: SyntheticWorkout): Erg | undefined => ergs[sport.slug];

export const isErgWorkout = (workout: SyntheticWorkout): boolean => findErg(workout) !== undefined;

/** The provider's user id of an account. */
export const concept2UserId = (account: string): number => stableNumber(`concept2 ${account}`);

/** The provider's id of the result of a day. */
export const resultId = (person: SyntheticPerson, day: SyntheticDay): number =>
  stableNumber(`concept2 ${person.account} result ${day.date}`);

/** Expected records of the ergometers. Strokes have no position, altitude or power. */
export function expectedConcept2Records(
  person: SyntheticPerson,
  days: readonly SyntheticDay[],
  nowMs: number,
): ExpectedRecords {
  const found = selectAvailableData(days, nowMs).workouts.filter(({ workout }) => isErgWorkout(workout));
  return {
    profile: [omitFields(expectedProfile(person), "height")],
    workouts: found.map(({ day, workout }) => ({
      ...expectedWorkoutFields(workout, "average_hr", "max_hr", "moving_time"),
      sport: findErg(workout)?.sport,
      provider_id: String(resultId(person, day)),
    })),
    workout_stream: found.map(({ day, workout }) => ({
      ...pickFields(expectedWorkoutStream(workout), "time", "heartrate", "distance", "cadence"),
      provider_id: String(resultId(person, day)),
    })),
  };
}
