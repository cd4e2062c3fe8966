import { RECORD_SPECS, type RecordSpec } from "./record-specs.ts";
import { MIN_RECORDS_PER_NIGHT } from "./sleep-records.ts";
import { UNUSUAL_COUNT } from "./unusual-records.ts";

/** Number of records of each stream. With the unusual records they add up to the requested number. */
export type Plan = { days: number; streams: { spec: RecordSpec; quota: number }[]; sleepQuota: number };

const RECORDS_PER_DAY = 2000;
const MIN_DAYS = 30;
const MAX_RECORDS_PER_DAY = 50_000;
const SLEEP_RECORDS_PER_DAY = 24;
const MIN_RECORDS = UNUSUAL_COUNT + MIN_RECORDS_PER_NIGHT + sum(RECORD_SPECS.map(({ minRecords }) => minRecords));

/**
 * Distributes `records` over the streams by weight. Without `days`, the timeline assumes 2,000 records a day (a watch
 * worn all day), at least 30 days.
 * @throws RangeError below 100 records or above 50,000 a day.
 */
export function planExport(records: number, days = Math.max(MIN_DAYS, Math.ceil(records / RECORDS_PER_DAY))): Plan {
  const possible = Number.isInteger(records) && Number.isInteger(days) && days >= 1;
  if (!possible || records < 100 || records > days * MAX_RECORDS_PER_DAY) {
    throw new RangeError(`cannot write ${records} records in ${days} days: 100 at least, 50000 a day at most`);
  }
  const spareForSleep = Math.min(SLEEP_RECORDS_PER_DAY * days, Math.floor((records - MIN_RECORDS) / 4));
  const sleepQuota = MIN_RECORDS_PER_NIGHT + spareForSleep;
  const spare = records - MIN_RECORDS - spareForSleep;
  const allWeight = sum(RECORD_SPECS.map(({ weight }) => weight));
  const streams = RECORD_SPECS.map((spec) => ({
    spec,
    quota: spec.minRecords + Math.floor((spare * spec.weight) / allWeight),
  }));
  // The first stream, heart rate, takes the remainder from rounding.
  streams[0]!.quota += records - UNUSUAL_COUNT - sleepQuota - sum(streams.map(({ quota }) => quota));
  return { days, streams, sleepQuota };
}

/** The quota of the first stream of a type. @throws Error without one, which is a bug in this generator. */
export function quotaOf(plan: Plan, spec: RecordSpec): number {
  const stream = plan.streams.find((candidate) => candidate.spec === spec);
  if (stream === undefined) throw new Error(`no stream of ${spec.type}`);
  return stream.quota;
}

function sum(numbers: number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
