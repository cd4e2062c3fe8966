import type { RawBatch } from "../../../../lib/domain/ingest/accept-batch.ts";
import { type DemoRequest, generateDemoBatches } from "../../../../lib/simulators/demo/demo-batches.ts";

/** The fields of a record that tests read, for any resource. */
export interface DeliveredRecord {
  readonly timestamp?: string;
  readonly start?: string;
  readonly end?: string;
  readonly value?: number;
  readonly timezone_offset?: number;
  readonly calendar_date?: string;
  readonly [field: string]: unknown;
}

/** All records of a request, by source type and resource ("watch steps"). */
export type Delivery = ReadonlyMap<string, readonly DeliveredRecord[]>;

/** Generates all batches of a request and joins the batches of each resource. */
export function deliverDemoData(request: DemoRequest): Delivery {
  const delivery = new Map<string, DeliveredRecord[]>();
  for (const batch of generateDemoBatches(request)) {
    for (const [name, records] of entriesOf(batch)) {
      const known = delivery.get(name) ?? [];
      for (const record of records) known.push(record as DeliveredRecord);
      delivery.set(name, known);
    }
  }
  return delivery;
}

/** The records of a delivery by their storage identity. */
export function byIdentity(delivery: Delivery): Map<string, DeliveredRecord> {
  const identityOf = (record: DeliveredRecord): unknown =>
    record.timestamp ?? record.start ?? record.bedtime_start ?? record.provider_id ?? record.calendar_date;
  return new Map(
    [...delivery].flatMap(([name, records]) => records.map((record) => [`${name} ${identityOf(record)}`, record])),
  );
}

/** The start of a sample in epoch ms. */
export const startMsOf = ({ timestamp, start }: DeliveredRecord): number => Date.parse(timestamp ?? start ?? "");

/** The samples that start at or after `from` and before `until`. */
export function samplesBetween(samples: readonly DeliveredRecord[], from: unknown, until: unknown): DeliveredRecord[] {
  const [fromMs, untilMs] = [Date.parse(String(from)), Date.parse(String(until))];
  return samples.filter((sample) => fromMs <= startMsOf(sample) && startMsOf(sample) < untilMs);
}

/** The values of samples. */
export const valuesOf = (samples: readonly DeliveredRecord[]): number[] =>
  samples.map(({ value }) => value ?? Number.NaN);

/** The sum of numbers. */
export const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** The mean of numbers. */
export const mean = (values: readonly number[]): number => sum(values) / values.length;

function entriesOf({ source_type, resources }: RawBatch): [string, readonly unknown[]][] {
  return Object.entries(resources).map(([resource, records]) => [`${source_type} ${resource}`, records]);
}
