import { sleepStream } from "../summaries/streams/sleep-stream.ts";
import type { AcceptedStream } from "../summaries/streams/stream-kind.ts";
import { findStreamKind } from "../summaries/streams/stream-kinds.ts";
import type { AcceptedSummary } from "../summaries/summary-kind.ts";
import { findSummaryKind } from "../summaries/summary-kinds.ts";
import { acceptDeletion, acceptRecord } from "../timeseries/accept-record.ts";
import { type Sample, sampleKey } from "../timeseries/chunk/sample.ts";
import { findResource } from "../timeseries/resources.ts";
import { type ConverterLookup, isResourceUnit } from "../timeseries/units.ts";
import type { UserRecord } from "../users/user.ts";
import type { DataStage, SampleBatch } from "./batch.ts";
import { MAX_RECORDS_PER_REQUEST } from "./batch.ts";
import { type AcceptanceContext, ingestionBounds } from "./ingestion-bounds.ts";
import type { AcceptanceResult, Refusal } from "./refusal.ts";
import { DELETED, type Rejection } from "./rejection.ts";

/** A batch as sent: data of one source, by resource. */
export interface RawBatch {
  readonly provider: string;
  readonly source_type: string;
  readonly device_id: string | null;
  readonly app_id?: string | null;
  readonly stage: DataStage;
  /** False while more of a history follows; absent otherwise. */
  readonly is_final?: boolean;
  readonly resources: Readonly<Record<string, readonly unknown[]>>;
  /** Samples that the sender deletes, by resource. */
  readonly deleted?: Readonly<Record<string, readonly unknown[]>>;
}

/** The accepted part of a batch, the number of accepted records, and the rejected records and fields. */
export interface AcceptedBatch {
  readonly batch: SampleBatch;
  readonly accepted: number;
  readonly rejected: readonly Rejection[];
}

/**
 * Validates every record of a batch on its own.
 * @param receivedAt epoch milliseconds.
 * @param converterOf required if {@link needsUnitConversion} returns true.
 */
export function acceptBatch(
  raw: RawBatch,
  user: UserRecord,
  receivedAt: number,
  converterOf?: ConverterLookup,
): AcceptedBatch {
  const { ingestion_start = null, ingestion_end = null, fallback_time_zone } = user;
  const bounds = ingestionBounds(ingestion_start, ingestion_end, fallback_time_zone.id);
  const context: AcceptanceContext = { receivedAt, bounds, converterOf };
  const { resources, deleted = {}, ...about } = raw;
  const batch: SampleBatch = { is_final: true, app_id: null, ...about, samples: {}, summaries: {}, streams: {} };
  const rejected: Rejection[] = [];
  const names = { left: MAX_REPORTED_FIELDS };
  let accepted = 0;
  for (const [resource, records] of Object.entries(resources)) {
    const { taken, refused } = acceptRecords(resource, records, context, names);
    if (taken.samples.length > 0) batch.samples[resource] = taken.samples;
    if (taken.summaries.length > 0) batch.summaries[resource] = taken.summaries;
    if (taken.streams.length > 0) batch.streams[resource] = taken.streams;
    accepted += taken.samples.length + taken.summaries.length + taken.streams.length;
    rejected.push(...refused);
  }
  for (const [resource, records] of Object.entries(deleted)) {
    const { taken, refused } = acceptDeletions(resource, records, context);
    const sent = batch.samples[resource] ?? [];
    const isSent = new Set(sent.map(sampleKey));
    // A sample that is deleted and sent again in one batch is replaced.
    const gone = taken.filter((sample) => !isSent.has(sampleKey(sample)));
    if (gone.length > 0) batch.samples[resource] = [...sent, ...gone];
    accepted += taken.length;
    rejected.push(...refused);
  }
  return { batch, accepted, rejected };
}

const UNKNOWN_RESOURCE: Refusal = { field: null, reason: "unknown_resource" };

/** Validates deletions. Only samples can be deleted. Rejections name the index in `deleted`. */
function acceptDeletions(resource: string, records: readonly unknown[], context: AcceptanceContext) {
  const timeseries = findResource(resource);
  const taken: Sample[] = [];
  const refused: Rejection[] = [];
  records.forEach((record, index) => {
    const judged = timeseries ? acceptDeletion(timeseries, record, context) : UNKNOWN_RESOURCE;
    if ("ok" in judged) taken.push(judged.ok);
    else refused.push({ resource: `${DELETED}${resource}`, index, effect: "record_rejected", ...judged });
  });
  return { taken, refused };
}

/** Whether a sample of a request, or of a stream in it, has a unit other than its resource's. */
export function needsUnitConversion(resources: RawBatch["resources"]): boolean {
  return [resources, ...(resources[sleepStream.name] ?? [])].some((lists) =>
    Object.entries(lists ?? {}).some(([name, records]) => {
      const resource = findResource(name);
      return (
        resource && Array.isArray(records) && records.some((record) => !isResourceUnit(resource, readUnit(record)))
      );
    }),
  );
}

const readUnit = (record: unknown): unknown => (record as { unit?: unknown } | null)?.unit;

/** The number of records in a request. */
export function countRecords(resources: RawBatch["resources"]): number {
  return Object.values(resources).reduce((total, records) => total + records.length, 0);
}

/** Whether a request exceeds the maximum number of records. */
export const exceedsMaxRecords = (resources: RawBatch["resources"]): boolean =>
  countRecords(resources) > MAX_RECORDS_PER_REQUEST;

/** Maximum number of dropped fields that one response reports. A record that would exceed it is rejected as a whole. */
const MAX_REPORTED_FIELDS = 5_000;

function acceptRecords(
  resource: string,
  records: readonly unknown[],
  context: AcceptanceContext,
  names: { left: number },
) {
  const samples: SampleBatch["samples"][string] = [];
  const summaries: AcceptedSummary[] = [];
  const streams: AcceptedStream[] = [];
  const refused: Rejection[] = [];
  const timeseries = findResource(resource);
  const kind = findSummaryKind(resource);
  const streamKind = findStreamKind(resource);
  records.forEach((record, index) => {
    const sample = timeseries && limitReportedFields(acceptRecord(timeseries, record, context), names);
    const summary = kind && limitReportedFields(kind.accept(record, context), names);
    const stream = streamKind && limitReportedFields(streamKind.accept(record, context), names);
    if (sample && "ok" in sample) samples.push(sample.ok);
    else if (summary && "ok" in summary) summaries.push(summary.ok);
    else if (stream && "ok" in stream) streams.push(stream.ok);
    const judged = sample ?? summary ?? stream ?? UNKNOWN_RESOURCE;
    if ("reason" in judged) refused.push({ resource, index, effect: "record_rejected", ...judged });
    else for (const field of judged.dropped ?? []) refused.push({ resource, index, effect: "field_dropped", ...field });
  });
  return { taken: { samples, summaries, streams }, refused };
}

/**
 * Accepts a result only if all of its dropped fields can still be reported; otherwise rejects the record.
 * @param names the number of fields that can still be reported.
 */
function limitReportedFields<T>(judged: AcceptanceResult<T>, names: { left: number }): AcceptanceResult<T> {
  if ("reason" in judged || !judged.dropped) return judged;
  const [first] = judged.dropped;
  if (first && judged.dropped.length > names.left) return first;
  names.left -= judged.dropped.length;
  return judged;
}
