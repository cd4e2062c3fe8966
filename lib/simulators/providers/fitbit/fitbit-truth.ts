import { stableNumber } from "../frame/stable-uuid.ts";
import { knownOf } from "../plan/known-days.ts";
import type { PersonPlan, PlannedDay } from "../plan/person-plan.ts";
import { activityTruth, bodyTruth, hypnogramTruth, sleepTruth, type Truth, without } from "../plan/unified-truth.ts";

/** The provider's user id of an account. */
export function fitbitUserId(account: string): string {
  return stableNumber(`fitbit ${account}`).toString(36).toUpperCase();
}

/** The provider's log id of the night of a day. */
export function fitbitLogId(plan: PersonPlan, day: PlannedDay): number {
  return stableNumber(`fitbit ${plan.account} sleep ${day.date}`);
}

/** Expected records of watch and scale. */
export function fitbitTruth(plan: PersonPlan, days: readonly PlannedDay[], nowMs: number): Truth {
  const { nights, over, begun } = knownOf(days, nowMs);
  return {
    activity: over.map((day) => ({ ...activityTruth(day), heart_rate: { resting_bpm: day.restingBpm } })),
    body: begun.map(bodyTruth),
    sleep: nights.map((day) => ({
      ...without(
        sleepTruth(day.sleep, day),
        "score",
        "hr_lowest",
        "hr_average",
        "average_hrv",
        "respiratory_rate",
        "timezone_offset",
      ),
      provider_id: String(fitbitLogId(plan, day)),
    })),
    hypnogram: nights.flatMap(({ sleep }) => hypnogramTruth(sleep)),
  };
}
