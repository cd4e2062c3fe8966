import { formatInstant } from "../../../domain/shared/instant.ts";
import { stableNumber } from "../base/stable-ids.ts";
import { selectAvailableData } from "../synthetic-data/available-data.ts";
import {
  type ExpectedRecords,
  expectedActivity,
  expectedBody,
  expectedHypnogram,
  expectedNightSamples,
  expectedPointSamples,
  expectedSleep,
  expectedWorkoutFields,
  omitFields,
} from "../synthetic-data/expected-records.ts";
import type { SyntheticDay, SyntheticPerson } from "../synthetic-data/synthetic-person.ts";

/** The provider's user id of an account. */
export function withingsUserId(account: string): number {
  return stableNumber(`withings ${account}`);
}

/** The provider's id of a record of a day. */
export function withingsRecordId(person: SyntheticPerson, kind: string, day: SyntheticDay): number {
  return stableNumber(`withings ${person.account} ${kind} ${day.date}`);
}

/** Time of the measurements on scale and cuff, epoch ms: 7:30 local time. */
export function measurementTimeMs(plan: SyntheticPerson, day: SyntheticDay): number {
  return plan.zone.instantAt(day.day, 450);
}

/** Expected records of scale, cuff, watch and sleep mat. */
export function expectedWithingsRecords(
  plan: SyntheticPerson,
  days: readonly SyntheticDay[],
  nowMs: number,
): ExpectedRecords {
  const { nights, over, workouts } = selectAvailableData(days, nowMs);
  const measured = days.filter((day) => measurementTimeMs(plan, day) <= nowMs);
  const atScale = (measure: (day: SyntheticDay) => number) =>
    expectedPointSamples(measured.map((day) => ({ atMs: measurementTimeMs(plan, day), value: measure(day) })));
  return {
    profile: [{ height: plan.heightCm }],
    activity: over.map((day) => omitFields(expectedActivity(day), "floors_climbed")),
    body: measured.map(expectedBody),
    body_weight: atScale(({ weightG }) => weightG / 1000),
    body_fat: atScale(({ fatPercent }) => fatPercent),
    blood_pressure: measured.map((day) => ({
      timestamp: formatInstant(measurementTimeMs(plan, day)),
      systolic: day.systolic,
      diastolic: day.diastolic,
    })),
    blood_oxygen: atScale(({ oxygenPercent }) => oxygenPercent),
    sleep: nights.map((day) => ({
      ...omitFields(expectedSleep(day.sleep, day), "average_hrv"),
      provider_id: String(withingsRecordId(plan, "sleep", day)),
    })),
    hypnogram: nights.flatMap(({ sleep }) => expectedHypnogram(sleep)),
    heartrate: nights.flatMap(({ sleep }) => expectedNightSamples(sleep, sleep.bpm)),
    hrv: nights.flatMap(({ sleep }) => expectedNightSamples(sleep, sleep.hrvMs)),
    workouts: workouts.map(({ day, workout }) => ({
      ...expectedWorkoutFields(workout, "average_hr", "max_hr"),
      provider_id: String(withingsRecordId(plan, "workout", day)),
    })),
  };
}
