import { stableNumber } from "../base/stable-ids.ts";
import { selectAvailableData } from "../synthetic-data/available-data.ts";
import {
  type ExpectedRecords,
  expectedActivity,
  expectedHypnogram,
  expectedPointSamples,
  expectedProfile,
  expectedSleep,
  expectedWorkoutFields,
  expectedWorkoutStream,
  pickFields,
} from "../synthetic-data/expected-records.ts";
import type { SyntheticDay, SyntheticPerson } from "../synthetic-data/synthetic-person.ts";

/** The provider's user id of an account. */
export function polarUserId(account: string): number {
  return stableNumber(`polar ${account}`);
}

/** The provider's id of the exercise of a day. */
export function exerciseId(person: SyntheticPerson, day: SyntheticDay): string {
  return stableNumber(`polar ${person.account} exercise ${day.date}`).toString(36).toUpperCase();
}

/** Expected records of the watch. */
export function expectedPolarRecords(
  plan: SyntheticPerson,
  days: readonly SyntheticDay[],
  nowMs: number,
): ExpectedRecords {
  const { nights, over, workouts } = selectAvailableData(days, nowMs);
  return {
    profile: [pickFields(expectedProfile(plan), "height", "sex", "gender", "birth_date")],
    activity: over.map((day) =>
      pickFields(expectedActivity(day), "calendar_date", "steps", "distance", "calories_active", "calories_total"),
    ),
    sleep: nights.map((day) => pickFields(expectedSleep(day.sleep, day), ...nightFields)),
    hypnogram: nights.flatMap(({ sleep }) => expectedHypnogram(sleep)),
    heartrate: days.flatMap((day) => expectedPointSamples(plan.heartRate(day).filter(({ atMs }) => atMs <= nowMs))),
    workouts: workouts.map(({ day, workout }) => ({
      ...expectedWorkoutFields(workout, "average_hr", "max_hr"),
      provider_id: exerciseId(plan, day),
    })),
    workout_stream: workouts.map(({ day, workout }) => ({
      ...pickFields(
        expectedWorkoutStream(workout),
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
