import { formatInstant } from "../../../domain/timeseries/instant.ts";
import { stableNumber } from "../frame/stable-uuid.ts";
import { knownOf } from "../plan/known-days.ts";
import type { PersonPlan, PlannedDay } from "../plan/person-plan.ts";
import {
  activityTruth,
  bodyTruth,
  hypnogramTruth,
  nightTruth,
  only,
  pointTruth,
  sleepTruth,
  type Truth,
  without,
  workoutTruth,
} from "../plan/unified-truth.ts";

/** The provider's user id of an account. */
export function withingsUserId(account: string): number {
  return stableNumber(`withings ${account}`);
}

/** The provider's id of a record of a day. */
export function withingsId(plan: PersonPlan, kind: string, day: PlannedDay): number {
  return stableNumber(`withings ${plan.account} ${kind} ${day.date}`);
}

/** Time of the measurements on scale and cuff, epoch ms: 7:30 local time. */
export function measuredAt(plan: PersonPlan, day: PlannedDay): number {
  return plan.zone.instant(day.day, 450);
}

/** Expected records of scale, cuff, watch and sleep mat. */
export function withingsTruth(plan: PersonPlan, days: readonly PlannedDay[], nowMs: number): Truth {
  const { nights, over, workouts } = knownOf(days, nowMs);
  const measured = days.filter((day) => measuredAt(plan, day) <= nowMs);
  const atScale = (measure: (day: PlannedDay) => number) =>
    pointTruth(measured.map((day) => ({ atMs: measuredAt(plan, day), value: measure(day) })));
  return {
    profile: [{ height: plan.heightCm }],
    activity: over.map((day) => without(activityTruth(day), "floors_climbed")),
    body: measured.map(bodyTruth),
    body_weight: atScale(({ weightG }) => weightG / 1000),
    body_fat: atScale(({ fatPercent }) => fatPercent),
    blood_pressure: measured.map((day) => ({
      timestamp: formatInstant(measuredAt(plan, day)),
      systolic: day.systolic,
      diastolic: day.diastolic,
    })),
    blood_oxygen: atScale(({ oxygenPercent }) => oxygenPercent),
    sleep: nights.map((day) => ({
      ...without(sleepTruth(day.sleep, day), "average_hrv"),
      provider_id: String(withingsId(plan, "sleep", day)),
    })),
    hypnogram: nights.flatMap(({ sleep }) => hypnogramTruth(sleep)),
    heartrate: nights.flatMap(({ sleep }) => nightTruth(sleep, sleep.bpm)),
    hrv: nights.flatMap(({ sleep }) => nightTruth(sleep, sleep.hrvMs)),
    workouts: workouts.map(({ day, workout }) => ({
      ...only(
        workoutTruth(workout),
        "time_start",
        "time_end",
        "timezone_offset",
        "sport",
        "calories",
        "distance",
        "average_hr",
        "max_hr",
      ),
      provider_id: String(withingsId(plan, "workout", day)),
    })),
  };
}
