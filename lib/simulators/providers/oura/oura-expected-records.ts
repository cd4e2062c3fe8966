import { selectAvailableData } from "../synthetic-data/available-data.ts";
import {
  type ExpectedRecords,
  expectedActivity,
  expectedHypnogram,
  expectedNightSamples,
  expectedPointSamples,
  expectedProfile,
  expectedSleep,
  expectedWorkoutFields,
  omitFields,
  pickFields,
} from "../synthetic-data/expected-records.ts";
import type { SyntheticDay, SyntheticPerson } from "../synthetic-data/synthetic-person.ts";
import { documentId } from "./oura-documents.ts";

/** Expected records of the ring. */
export function expectedOuraRecords(
  person: SyntheticPerson,
  days: readonly SyntheticDay[],
  nowMs: number,
): ExpectedRecords {
  const { nights, over, workouts } = selectAvailableData(days, nowMs);
  return {
    profile: [pickFields(expectedProfile(person), "height", "sex")],
    activity: over.map((day) => omitFields(expectedActivity(day), "floors_climbed")),
    sleep: nights.map((day) => ({
      ...expectedSleep(day.sleep, day),
      provider_id: documentId(person, "sleep", day),
      recovery_readiness_score: day.readiness,
      temperature_delta: day.temperatureDelta,
    })),
    workouts: workouts.map(({ day, workout }) => ({
      ...expectedWorkoutFields(workout),
      provider_id: documentId(person, "workout", day),
    })),
    heartrate: days.flatMap((day) => expectedPointSamples(person.heartRate(day).filter(({ atMs }) => atMs <= nowMs))),
    hrv: nights.flatMap(({ sleep }) => expectedNightSamples(sleep, sleep.hrvMs)),
    hypnogram: nights.flatMap(({ sleep }) => expectedHypnogram(sleep)),
    blood_oxygen: nights.map((day) => ({ calendar_date: day.date, value: day.oxygenPercent })),
    vo2_max: over.map((day) => ({ calendar_date: day.date, value: day.vo2Max })),
  };
}
