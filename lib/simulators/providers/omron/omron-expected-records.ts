import { formatInstant } from "../../../domain/shared/instant.ts";
import { stableUuid } from "../base/stable-ids.ts";
import { type ExpectedRecords, expectedPointSamples } from "../synthetic-data/expected-records.ts";
import type { SyntheticDay, SyntheticPerson } from "../synthetic-data/synthetic-person.ts";

/** Minutes after midnight of the measurement of a day: 7:30. */
const MEASUREMENT_MINUTE = 450;

/** The provider's user id of an account. */
export const omronUserId = (account: string): string => stableUuid(`omron ${account}`);

/** A reading of the cuff. */
export interface CuffReading {
  readonly atMs: number;
  readonly systolic: number;
  readonly diastolic: number;
  readonly pulse: number;
}

/** The readings of some days until an instant, one each morning. */
export function listCuffReadings(person: SyntheticPerson, days: readonly SyntheticDay[], nowMs: number): CuffReading[] {
  return days
    .map(({ day, systolic, diastolic, restingBpm: pulse }) => {
      return { atMs: person.zone.instantAt(day, MEASUREMENT_MINUTE), systolic, diastolic, pulse };
    })
    .filter(({ atMs }) => atMs <= nowMs);
}

/** Expected records: blood pressure and pulse. */
export function expectedOmronRecords(
  person: SyntheticPerson,
  days: readonly SyntheticDay[],
  nowMs: number,
): ExpectedRecords {
  const readings = listCuffReadings(person, days, nowMs);
  return {
    blood_pressure: readings.map(({ atMs, systolic, diastolic }) => ({
      timestamp: formatInstant(atMs),
      systolic,
      diastolic,
    })),
    heartrate: expectedPointSamples(readings.map(({ atMs, pulse: value }) => ({ atMs, value }))),
  };
}
