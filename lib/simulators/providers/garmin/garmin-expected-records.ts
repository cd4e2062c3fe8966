import { stableNumber, stableUuid } from "../base/stable-ids.ts";
import { selectAvailableData } from "../synthetic-data/available-data.ts";
import {
  type ExpectedRecords,
  expectedActivity,
  expectedBody,
  expectedHypnogram,
  expectedIntervalSamples,
  expectedPointSamples,
  expectedSleep,
  expectedWorkoutFields,
  expectedWorkoutStream,
  omitFields,
  pickFields,
} from "../synthetic-data/expected-records.ts";
import type { SyntheticDay, SyntheticPerson } from "../synthetic-data/synthetic-person.ts";

/** The provider's user id of an account. */
export function garminUserId(account: string): string {
  return stableUuid(`garmin ${account}`);
}

/** The provider's id of a summary of a day; stable across repeated pushes. */
export function summaryId(person: SyntheticPerson, kind: string, day: SyntheticDay): string {
  return `x${stableNumber(`garmin ${person.account} ${kind}`).toString(16)}-${day.day.toString(16)}`;
}

/** Expected records of the watch. */
export function expectedGarminRecords(
  plan: SyntheticPerson,
  days: readonly SyntheticDay[],
  nowMs: number,
): ExpectedRecords {
  const { nights, over, workouts } = selectAvailableData(days, nowMs);
  return {
    activity: over.map((day) => ({
      ...pickFields(expectedActivity(day), ...activityFields),
      heart_rate: { avg_bpm: meanBpm(plan, day), resting_bpm: day.restingBpm },
    })),
    steps: over.flatMap((day) => expectedIntervalSamples(plan.steps(day))),
    body: over.map(expectedBody),
    heartrate: expectedPointSamples(over.flatMap((day) => plan.heartRate(day))),
    stress_level: over.map((day) => ({ calendar_date: day.date, value: day.stressPercent })),
    sleep: nights.map((day) => ({
      ...omitFields(expectedSleep(day.sleep, day), ...unavailableSleepFields),
      state: "confirmed",
      provider_id: summaryId(plan, "sleep", day),
    })),
    hypnogram: nights.flatMap(({ sleep }) => expectedHypnogram(sleep)),
    workouts: workouts.map(({ day, workout }) => ({
      ...expectedWorkoutFields(workout, ...workoutFields),
      provider_id: summaryId(plan, "activity", day),
    })),
    workout_stream: workouts.map(({ day, workout }) => ({
      ...expectedWorkoutStream(workout),
      provider_id: summaryId(plan, "activity", day),
    })),
  };
}

function meanBpm(plan: SyntheticPerson, day: SyntheticDay): number {
  const beats = plan.heartRate(day);
  return Math.round((10 * beats.reduce((sum, { value }) => sum + value, 0)) / beats.length) / 10;
}

const activityFields = [
  "calendar_date",
  "steps",
  "distance",
  "calories_active",
  "calories_total",
  "medium",
  "high",
  "floors_climbed",
];
/** Sleep fields that Garmin does not report. */
const unavailableSleepFields = ["latency", "efficiency", "hr_lowest", "hr_average", "average_hrv", "respiratory_rate"];
const workoutFields = ["average_hr", "max_hr", "average_speed", "max_speed", "total_elevation_gain"];
