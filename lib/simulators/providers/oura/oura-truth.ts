import { knownOf } from "../plan/known-days.ts";
import type { PersonPlan, PlannedDay } from "../plan/person-plan.ts";
import {
  activityTruth,
  hypnogramTruth,
  nightTruth,
  only,
  pointTruth,
  profileTruth,
  sleepTruth,
  type Truth,
  without,
  workoutTruth,
} from "../plan/unified-truth.ts";
import { documentId } from "./oura-documents.ts";

/** Expected records of the ring. */
export function ouraTruth(plan: PersonPlan, days: readonly PlannedDay[], nowMs: number): Truth {
  const { nights, over, workouts } = knownOf(days, nowMs);
  return {
    profile: [only(profileTruth(plan), "height", "sex")],
    activity: over.map((day) => without(activityTruth(day), "floors_climbed")),
    sleep: nights.map((day) => ({
      ...sleepTruth(day.sleep, day),
      provider_id: documentId(plan, "sleep", day),
      recovery_readiness_score: day.readiness,
      temperature_delta: day.temperatureDelta,
    })),
    workouts: workouts.map(({ day, workout }) => ({
      ...only(workoutTruth(workout), "time_start", "time_end", "timezone_offset", "sport", "calories", "distance"),
      provider_id: documentId(plan, "workout", day),
    })),
    heartrate: days.flatMap((day) => pointTruth(plan.heartRate(day).filter(({ atMs }) => atMs <= nowMs))),
    hrv: nights.flatMap(({ sleep }) => nightTruth(sleep, sleep.hrvMs)),
    hypnogram: nights.flatMap(({ sleep }) => hypnogramTruth(sleep)),
    blood_oxygen: nights.map((day) => ({ calendar_date: day.date, value: day.oxygenPercent })),
    vo2_max: over.map((day) => ({ calendar_date: day.date, value: day.vo2Max })),
  };
}
