import { MINUTE_MS } from "../../../domain/shared/durations.ts";
import { stableNumber, stableUuid } from "../base/stable-ids.ts";
import { selectAvailableData } from "../synthetic-data/available-data.ts";
import {
  type ExpectedRecords,
  expectedBody,
  expectedProfile,
  expectedSleep,
  expectedWorkout,
  omitFields,
  pickFields,
} from "../synthetic-data/expected-records.ts";
import type { SyntheticDay, SyntheticPerson } from "../synthetic-data/synthetic-person.ts";

/** Delay between the end of a record and its score. */
export const SCORING_DELAY_MS = 30 * MINUTE_MS;

/** The provider's user id of an account. */
export function whoopUserId(account: string): number {
  return stableNumber(`whoop ${account}`);
}

/** The provider's id of a sleep or workout of a day. */
export function whoopRecordId(account: string, kind: string, date: string): string {
  return stableUuid(`whoop ${account} ${kind} ${date}`);
}

/** Expected records of the strap; excludes unscored records. */
export function expectedWhoopRecords(
  person: SyntheticPerson,
  days: readonly SyntheticDay[],
  nowMs: number,
): ExpectedRecords {
  const { nights, workouts } = selectAvailableData(days, nowMs - SCORING_DELAY_MS);
  const cycles = days.filter((day) => person.day(day.day + 1).sleep.startMs <= nowMs - SCORING_DELAY_MS);
  const today = person.day(person.zone.dayAt(nowMs));
  return {
    profile: [pickFields(expectedProfile(person), "height")],
    body: [pickFields(expectedBody(today), "calendar_date", "weight")],
    activity: cycles.map((day) => ({ calendar_date: day.date, calories_total: day.activeKcal + day.basalKcal })),
    sleep: nights.map((day) => ({
      ...omitFields(expectedSleep(day.sleep, day), "latency", "hr_lowest", "hr_average"),
      provider_id: whoopRecordId(person.account, "sleep", day.date),
      hr_resting: day.restingBpm,
      recovery_readiness_score: day.readiness,
      skin_temperature: 33 + day.temperatureDelta,
    })),
    workouts: workouts.map(({ day, workout }) => ({
      ...omitFields(
        expectedWorkout(workout),
        "moving_time",
        "average_speed",
        "max_speed",
        "elev_high",
        "elev_low",
        "average_watts",
        "max_watts",
      ),
      provider_id: whoopRecordId(person.account, "workout", day.date),
    })),
  };
}
