import type { SampleBatch, Stage } from "./batch.ts";
import { MOST_RECORDS } from "./batch.ts";
import type { Rejection } from "./receipt.ts";
import type { AcceptedSummary } from "./summaries/summary-kind.ts";
import { findSummaryKind } from "./summaries/summary-kinds.ts";
import { type AcceptanceContext, ingestionBounds } from "./timeseries/acceptance.ts";
import { acceptRecord } from "./timeseries/record.ts";
import { findResource } from "./timeseries/resources.ts";
import type { UserRecord } from "./user.ts";

/** What a sender gives: data of one source, by resource. */
export interface RawBatch {
  readonly provider: string;
  readonly source_type: string;
  readonly device_id: string | null;
  readonly stage: Stage;
  readonly resources: Readonly<Record<string, readonly unknown[]>>;
}

/** A batch of the records that can be taken, how many those are, and why the others can not. */
export interface AcceptedBatch {
  readonly batch: SampleBatch;
  readonly accepted: number;
  readonly rejected: readonly Rejection[];
}

/** Judges every record of a batch on its own. @param receivedAt epoch milliseconds. */
export function acceptBatch(raw: RawBatch, user: UserRecord, receivedAt: number): AcceptedBatch {
  const bounds = ingestionBounds(user.ingestion_start ?? null, user.ingestion_end ?? null);
  const context: AcceptanceContext = { receivedAt, bounds };
  const { resources, ...about } = raw;
  const batch: SampleBatch = { ...about, samples: {}, summaries: {} };
  const rejected: Rejection[] = [];
  let accepted = 0;
  for (const [resource, records] of Object.entries(resources)) {
    const { taken, refused } = judge(resource, records, context);
    if (taken.samples.length > 0) batch.samples[resource] = taken.samples;
    if (taken.summaries.length > 0) batch.summaries[resource] = taken.summaries;
    accepted += taken.samples.length + taken.summaries.length;
    rejected.push(...refused);
  }
  return { batch, accepted, rejected };
}

/** The number of records in a request. */
export function countRecords(resources: RawBatch["resources"]): number {
  return Object.values(resources).reduce((total, records) => total + records.length, 0);
}

/** Whether a request has more records than one may carry. */
export const isTooMany = (resources: RawBatch["resources"]): boolean => countRecords(resources) > MOST_RECORDS;

function judge(resource: string, records: readonly unknown[], context: AcceptanceContext) {
  const samples: SampleBatch["samples"][string] = [];
  const summaries: AcceptedSummary[] = [];
  const refused: Rejection[] = [];
  const timeseries = findResource(resource);
  const kind = findSummaryKind(resource);
  records.forEach((record, index) => {
    const sample = timeseries && acceptRecord(timeseries, record, context);
    const summary = kind?.accept(record, context);
    if (sample && "ok" in sample) samples.push(sample.ok);
    else if (summary && "ok" in summary) summaries.push(summary.ok);
    else refused.push({ resource, index, reason: (sample ?? summary)?.reason ?? "unknown_resource" });
  });
  return { taken: { samples, summaries }, refused };
}
