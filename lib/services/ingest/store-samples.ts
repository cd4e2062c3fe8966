import type { SampleBatch } from "../../domain/ingest/batch.ts";
import type { UnstoredRecord } from "../../domain/ingest/rejection.ts";
import type { AcceptedSummary, SummaryKind } from "../../domain/summaries/summary-kind.ts";
import { findSummaryKind } from "../../domain/summaries/summary-kinds.ts";
import type { Sample } from "../../domain/timeseries/chunk/sample.ts";
import { bucketStart } from "../../domain/timeseries/chunk/time-bucket.ts";
import { findResource, type KnownResource, type ResourceName } from "../../domain/timeseries/resources.ts";
import type { NewEvent } from "../../events/constructors/compose-event.ts";
import { inParallel } from "../../runtime/in-parallel.ts";
import type { MergedSummary, SummaryStore } from "../../store/summaries/summaries.ts";
import type { TeamScope } from "../../store/team-scope.ts";
import { ChunkFull } from "../../store/timeseries/chunk-merger.ts";
import type { ChunkStore } from "../../store/timeseries/chunks.ts";
import { type DataEventContext, sampleEvents, summaryEvents, withPositions } from "./stored-data-events.ts";

/** A batch to store, with its context. */
export interface BatchContext extends DataEventContext {
  readonly scope: TeamScope;
  /** Epoch milliseconds of the receipt. The latest receipt wins. */
  readonly receivedAt: number;
  readonly batch: SampleBatch;
  /** Whether no earlier batch of the user can still arrive. */
  readonly isLatest: () => Promise<boolean>;
  /** Whether earlier messages stored all parts of the batch. */
  readonly isRepeated?: boolean;
}

/** Result of storing one resource. */
export interface StoreResult {
  readonly created: number;
  readonly updated: number;
  readonly unchanged: number;
  readonly events: readonly NewEvent[];
  readonly refused: readonly UnstoredRecord[];
  readonly changed?: ChangedSamples;
  /** Days of the stored summaries. */
  readonly days?: StoredDays | undefined;
  /** Growth of the stored data in bytes; absent if unknown. */
  readonly grewBytes?: number;
}

/** First and last day of the summaries of one kind. */
interface StoredDays {
  readonly kind: string;
  readonly range: [string, string];
}

/** Returns the days of stored summaries of one kind; undefined for none. */
export function toStoredDays(kind: string, records: readonly { readonly day: string }[]): StoredDays | undefined {
  const days = records.map(({ day }) => day).sort();
  const [first, last] = [days[0], days.at(-1)];
  return first === undefined || last === undefined ? undefined : { kind, range: [first, last] };
}

/** Samples of one resource that a batch created or updated. */
export interface ChangedSamples {
  readonly resource: ResourceName;
  readonly now: readonly Sample[];
  /** Updated samples before the update. */
  readonly before: readonly Sample[];
  /** Samples that an earlier attempt of the batch updated, whose previous values are lost. */
  readonly updatedEarlier: readonly Sample[];
}

/** Length of a batch id in chunks: the random suffix of the receipt id, which differs within one millisecond. */
const BATCH_ID_CHARACTERS = 8;
/** Maximum concurrent merges. Each merge writes its own item, so merges do not conflict. */
const MAX_CONCURRENT_MERGES = 8;
/** Maximum concurrent inserts of history: as many as one batch write takes. */
const MAX_CONCURRENT_INSERTS = 25;

/** Merges the samples of a batch into chunks, one resource at a time. */
export async function storeSamples(chunks: ChunkStore, context: BatchContext): Promise<StoreResult[]> {
  const stored: StoreResult[] = [];
  for (const [name, samples] of Object.entries(context.batch.samples)) {
    const resource = findResource(name);
    if (resource && samples.length > 0) stored.push(await storeResource(chunks, context, resource, samples));
  }
  return stored;
}

async function storeResource(
  chunks: ChunkStore,
  context: BatchContext,
  resource: KnownResource,
  samples: readonly Sample[],
): Promise<StoreResult> {
  const { scope, user, batch, receiptId, receivedAt } = context;
  const { provider, source_type: sourceType, device_id: deviceId, app_id: appId } = batch;
  const stream = { userId: user.user_id, resource, provider, sourceType, recorder: { deviceId, appId } };
  const buckets = [...Map.groupBy(samples, ({ start }) => bucketStart(start, resource.bucketMs)).values()];
  const receipt = { receivedAt, batchId: receiptId.slice(-BATCH_ID_CHARACTERS) };
  const options = {
    expectNew: batch.stage === "historical" && !context.isRepeated,
    hasNoOlderPending: context.isLatest,
  };
  const full: Sample[] = [];
  const merge = (bucket: Sample[]) =>
    chunks.merge(scope, stream, bucket, receipt, options).catch((error) => {
      if (!(error instanceof ChunkFull)) throw error;
      full.push(...bucket);
      return { created: [], updated: [], replaced: [], updatedEarlier: [], grewBytes: 0 };
    });
  const merged = await inParallel(buckets, merge, options.expectNew ? MAX_CONCURRENT_INSERTS : MAX_CONCURRENT_MERGES);
  const all = (of: "created" | "updated") => merged.flatMap((result) => result[of]);
  // A deletion of an unknown sample stores a marker but creates no sample.
  const created = all("created").filter(isNotDeleted);
  const updated = all("updated");
  const unchanged = samples.length - created.length - updated.length - full.length;
  const refused = withPositions(samples, full).map(
    ({ position }): UnstoredRecord => ({ resource: resource.name, position, reason: "too_dense" }),
  );
  const events = sampleEvents(context, resource, samples, { created, updated: updated.filter(isNotDeleted) });
  const before = merged.flatMap((result) => result.replaced);
  const updatedEarlier = merged.flatMap((result) => result.updatedEarlier);
  const changed = { resource: resource.name, now: [...created, ...updated], before, updatedEarlier };
  const grewBytes = sum(merged, (result) => result.grewBytes);
  return { created: created.length, updated: updated.length, unchanged, events, refused, changed, grewBytes };
}

const isNotDeleted = ({ isDeleted }: Sample) => !isDeleted;

/** Stores the summaries of a batch by natural key. */
export async function storeSummaries(summaries: SummaryStore, context: BatchContext): Promise<StoreResult[]> {
  const stored: StoreResult[] = [];
  for (const [name, records] of Object.entries(context.batch.summaries)) {
    const kind = findSummaryKind(name);
    if (kind && records.length > 0) stored.push(await storeKind(summaries, context, kind, records));
  }
  return stored;
}

async function storeKind(
  summaries: SummaryStore,
  context: BatchContext,
  kind: SummaryKind,
  records: readonly AcceptedSummary[],
): Promise<StoreResult> {
  const { scope, user, batch, receiptId, receivedAt } = context;
  const { provider, source_type: sourceType, device_id: deviceId, app_id: appId } = batch;
  const origin = { userId: user.user_id, kind, provider, sourceType, deviceId, appId };
  const lastOfKeys = [...new Map(records.map((record) => [record.key, record])).values()];
  const results = await inParallel(lastOfKeys, (accepted) =>
    summaries.merge(scope, { ...origin, accepted }, { receivedAt, receiptId }, context.isLatest),
  );
  const count = (outcome: string) => results.filter((result) => result.outcome === outcome).length;
  const [created, updated] = [count("created"), count("updated")];
  const unchanged = records.length - created - updated;
  return {
    created,
    updated,
    unchanged,
    events: summaryEvents(context, kind, results),
    refused: [],
    grewBytes: createdBytes(results),
    days: toStoredDays(
      kind.name,
      results.map(({ record }) => record),
    ),
  };
}

/** Bytes that new summaries add to the stored data; later versions are about as large. */
function createdBytes(results: readonly MergedSummary[]): number {
  const created = results.filter(({ outcome }) => outcome === "created");
  return sum(created, ({ record }) => Buffer.byteLength(JSON.stringify(record)));
}

const sum = <T>(all: readonly T[], of: (one: T) => number) => all.reduce((total, one) => total + of(one), 0);
