import { MINUTE_MS } from "../../demo/zone-days.ts";
import { stableNumber, stableUuid } from "../frame/stable-uuid.ts";
import { knownOf } from "../plan/known-days.ts";
import type { PersonPlan, PlannedDay } from "../plan/person-plan.ts";
import { bodyTruth, only, profileTruth, sleepTruth, type Truth, without, workoutTruth } from "../plan/unified-truth.ts";

/** Delay between the end of a record and its score. */
export const SCORING_MS = 30 * MINUTE_MS;

/** The provider's user id of an account. */
export function whoopUserId(account: string): number {
  return stableNumber(`whoop ${account}`);
}

/** The provider's id of a sleep or workout of a day. */
export function whoopId(account: string, kind: string, date: string): string {
  return stableUuid(`whoop ${account} ${kind} ${date}`);
}

/** Expected records of the strap; excludes unscored records. */
export function whoopTruth(plan: PersonPlan, days: readonly PlannedDay[], nowMs: number): Truth {
  const { nights, workouts } = knownOf(days, nowMs - SCORING_MS);
  const cycles = days.filter((day) => plan.day(day.day + 1).sleep.startMs <= nowMs - SCORING_MS);
  const today = plan.day(plan.zone.dayOf(nowMs));
  return {
    profile: [only(profileTruth(plan), "height")],
    body: [only(bodyTruth(today), "calendar_date", "weight")],
    activity: cycles.map((day) => ({ calendar_date: day.date, calories_total: day.activeKcal + day.basalKcal })),
    sleep: nights.map((day) => ({
      ...without(sleepTruth(day.sleep, day), "latency", "hr_lowest", "hr_average"),
      provider_id: whoopId(plan.account, "sleep", day.date),
      hr_resting: day.restingBpm,
      recovery_readiness_score: day.readiness,
      skin_temperature: 33 + day.temperatureDelta,
    })),
    workouts: workouts.map(({ day, workout }) => ({
      ...without(
        workoutTruth(workout),
        "moving_time",
        "average_speed",
        "max_speed",
        "elev_high",
        "elev_low",
        "average_watts",
        "max_watts",
      ),
      provider_id: whoopId(plan.account, "workout", day.date),
    })),
  };
}
