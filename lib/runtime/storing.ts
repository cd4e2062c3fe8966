import type { BatchMessage, SampleBatch } from "../domain/batch.ts";
import { bucketStart } from "../domain/chunk/bucket.ts";
import type { Sample } from "../domain/chunk/sample.ts";
import type { Outcome, Refusal } from "../domain/receipt.ts";
import type { AcceptedSummary, SummaryKind } from "../domain/summaries/summary-kind.ts";
import { findSummaryKind } from "../domain/summaries/summary-kinds.ts";
import { findResource, type KnownResource, type ResourceName } from "../domain/timeseries/resources.ts";
import type { NewEvent } from "../events/compose-event.ts";
import { ChunkFull, type ChunkStore } from "../store/chunks.ts";
import type { MergedSummary, SummaryStore } from "../store/summaries.ts";
import type { TeamScope } from "../store/team-scope.ts";
import { placed, sampleEvents, summaryEvents, type TellingContext } from "./telling-stored.ts";

/** A batch to store, with its context. */
export interface StoringContext extends TellingContext {
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
export interface Stored {
  readonly created: number;
  readonly updated: number;
  readonly unchanged: number;
  readonly events: readonly NewEvent[];
  readonly refused: readonly Refusal[];
  readonly changed?: ChangedSamples;
  /** Growth of the stored data in bytes; absent if unknown. */
  readonly grewBytes?: number;
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
const MERGES_AT_ONCE = 8;
/** Maximum concurrent inserts of history: as many as one batch write takes. */
const INSERTS_AT_ONCE = 25;

/** Merges the samples of a batch into chunks, one resource at a time. */
export async function storeSamples(chunks: ChunkStore, context: StoringContext): Promise<Stored[]> {
  const stored: Stored[] = [];
  for (const [name, samples] of Object.entries(context.batch.samples)) {
    const resource = findResource(name);
    if (resource && samples.length > 0) stored.push(await storeResource(chunks, context, resource, samples));
  }
  return stored;
}

async function storeResource(
  chunks: ChunkStore,
  context: StoringContext,
  resource: KnownResource,
  samples: readonly Sample[],
): Promise<Stored> {
  const { scope, user, batch, receiptId, receivedAt } = context;
  const stream = { userId: user.user_id, resource, provider: batch.provider, sourceType: batch.source_type };
  const buckets = [...Map.groupBy(samples, ({ start }) => bucketStart(start, resource.bucketMs)).values()];
  const receipt = { receivedAt, batchId: receiptId.slice(-BATCH_ID_CHARACTERS) };
  const options = { expectNew: batch.stage === "historical" && !context.isRepeated, isLatest: context.isLatest };
  const full: Sample[] = [];
  const merge = (bucket: Sample[]) =>
    chunks.merge(scope, stream, bucket, receipt, options).catch((error) => {
      if (!(error instanceof ChunkFull)) throw error;
      full.push(...bucket);
      return { created: [], updated: [], replaced: [], grewBytes: 0 };
    });
  const merged = await inParallel(buckets, merge, options.expectNew ? INSERTS_AT_ONCE : MERGES_AT_ONCE);
  const all = (of: "created" | "updated") => merged.flatMap((result) => result[of]);
  // A deletion of an unknown sample stores a marker but creates no sample.
  const created = all("created").filter(isThere);
  const updated = all("updated");
  const unchanged = samples.length - created.length - updated.length - full.length;
  const refused = placed(samples, full).map(({ position }) => ({
    resource: resource.name,
    position,
    reason: "too_dense",
  }));
  const events = sampleEvents(context, resource, samples, { created, updated: updated.filter(isThere) });
  const before = merged.flatMap((result) => result.replaced);
  const updatedEarlier = merged.flatMap((result) => (result.replaced.length === 0 ? result.updated : []));
  const changed = { resource: resource.name, now: [...created, ...updated], before, updatedEarlier };
  const grewBytes = sum(merged, (result) => result.grewBytes);
  return { created: created.length, updated: updated.length, unchanged, events, refused, changed, grewBytes };
}

const isThere = ({ isDeleted }: Sample) => !isDeleted;

/** Stores the summaries of a batch by natural key. */
export async function storeSummaries(summaries: SummaryStore, context: StoringContext): Promise<Stored[]> {
  const stored: Stored[] = [];
  for (const [name, records] of Object.entries(context.batch.summaries)) {
    const kind = findSummaryKind(name);
    if (kind && records.length > 0) stored.push(await storeKind(summaries, context, kind, records));
  }
  return stored;
}

async function storeKind(
  summaries: SummaryStore,
  context: StoringContext,
  kind: SummaryKind,
  records: readonly AcceptedSummary[],
): Promise<Stored> {
  const { scope, user, batch, receiptId, receivedAt } = context;
  const { provider, source_type: sourceType, device_id: deviceId } = batch;
  const origin = { userId: user.user_id, kind, provider, sourceType, deviceId };
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
    grewBytes: sizeOf(results),
  };
}

/** Bytes that new summaries add to the stored data; later versions are about as large. */
function sizeOf(results: readonly MergedSummary[]): number {
  const created = results.filter(({ outcome }) => outcome === "created");
  return sum(created, ({ record }) => Buffer.byteLength(JSON.stringify(record)));
}

/** Totals the results of a batch for its receipt. */
export function tally(results: readonly Stored[]): Outcome {
  return {
    stored: sum(results, (result) => result.created),
    updated: sum(results, (result) => result.updated),
    unchanged: sum(results, (result) => result.unchanged),
    event_ids: eventsOf(results).map(({ reference }) => reference.event_id),
  };
}

/** Growth of the stored data by a batch, in bytes. */
export const growthOf = (results: readonly Stored[]): number => sum(results, ({ grewBytes = 0 }) => grewBytes);

/** Usage of a batch for metering; `spread` differs between batches and selects the counter shard. */
export function usedBy(results: readonly Stored[], { progress, received_at }: BatchMessage) {
  const { stored, updated } = tally(results);
  return { samples: stored + updated, bytes: growthOf(results) + (progress?.grew_bytes ?? 0), spread: received_at };
}

const sum = <T>(all: readonly T[], of: (one: T) => number) => all.reduce((total, one) => total + of(one), 0);

/** The events of all results, each id once. Of equal ids the last wins, since it covers the most. */
export function eventsOf(results: readonly Stored[]): NewEvent[] {
  const events = results.flatMap((result) => result.events);
  return [...new Map(events.map((event) => [event.reference.event_id, event])).values()];
}

/** Applies an async function to all items, a few at a time. Keeps the order of the results. */
export async function inParallel<T, R>(
  items: readonly T[],
  work: (item: T) => Promise<R>,
  atOnce = MERGES_AT_ONCE,
): Promise<R[]> {
  const results: R[] = [];
  for (let first = 0; first < items.length; first += atOnce) {
    results.push(...(await Promise.all(items.slice(first, first + atOnce).map(work))));
  }
  return results;
}
