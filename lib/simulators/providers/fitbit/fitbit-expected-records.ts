import { stableNumber } from "../base/stable-ids.ts";
import { selectAvailableData } from "../synthetic-data/available-data.ts";
import {
  type ExpectedRecords,
  expectedActivity,
  expectedBody,
  expectedHypnogram,
  expectedSleep,
  omitFields,
} from "../synthetic-data/expected-records.ts";
import type { SyntheticDay, SyntheticPerson } from "../synthetic-data/synthetic-person.ts";

/** The provider's user id of an account. */
export function fitbitUserId(account: string): string {
  return stableNumber(`fitbit ${account}`).toString(36).toUpperCase();
}

/** The provider's log id of the night of a day. */
export function fitbitLogId(person: SyntheticPerson, day: SyntheticDay): number {
  return stableNumber(`fitbit ${person.account} sleep ${day.date}`);
}

/** Expected records of watch and scale. */
export function expectedFitbitRecords(
  plan: SyntheticPerson,
  days: readonly SyntheticDay[],
  nowMs: number,
): ExpectedRecords {
  const { nights, over, begun } = selectAvailableData(days, nowMs);
  return {
    activity: over.map((day) => ({ ...expectedActivity(day), heart_rate: { resting_bpm: day.restingBpm } })),
    body: begun.map(expectedBody),
    sleep: nights.map((day) => ({
      ...omitFields(
        expectedSleep(day.sleep, day),
        "score",
        "hr_lowest",
        "hr_average",
        "average_hrv",
        "respiratory_rate",
        "timezone_offset",
      ),
      provider_id: String(fitbitLogId(plan, day)),
    })),
    hypnogram: nights.flatMap(({ sleep }) => expectedHypnogram(sleep)),
  };
}
