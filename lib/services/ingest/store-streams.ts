import { deleteObject, getItem, putItem, putObject } from "../../contract/access.ts";
import { streamRecords, streams } from "../../contract/resources.ts";
import type { AcceptedStream, StreamKind } from "../../domain/summaries/streams/stream-kind.ts";
import { findStreamKind } from "../../domain/summaries/streams/stream-kinds.ts";
import { workoutStream } from "../../domain/summaries/streams/workout-stream.ts";
import type { NewEvent } from "../../events/constructors/compose-event.ts";
import { historicalEvent, workoutStreamEvent } from "../../events/constructors/data-events.ts";
import type { Dependencies } from "../../runtime/dependency-table.ts";
import { inParallel } from "../../runtime/in-parallel.ts";
import type { StreamKey } from "../../store/summaries/stream-keys.ts";
import type { StreamRecord, StreamStore } from "../../store/summaries/streams.ts";
import type { SummaryRecord } from "../../store/summaries/summary-record.ts";
import type { BatchContext, StoreResult } from "./store-samples.ts";
import { toInstantRange } from "./stored-data-events.ts";

type StoreStreamsDependencies = Dependencies<"streams" | "summaries">;

/** Grants of {@link storeStreams}, besides those for summaries. */
export const storeStreamsAccess = [
  getItem(streamRecords),
  putItem(streamRecords),
  putObject(streams),
  deleteObject(streams),
] as const;

/**
 * Stores the streams of a batch, after its summaries. A stream may arrive before its workout; the batch that completes
 * the pair records the event. If two concurrent batches bring one part each, at least one finds both, because each
 * writes its own part before it looks up the other. If both find both, they record the same event.
 */
export async function storeStreams(deps: StoreStreamsDependencies, context: BatchContext): Promise<StoreResult[]> {
  const stored: StoreResult[] = [];
  for (const [name, records] of Object.entries(context.batch.streams)) {
    const kind = findStreamKind(name);
    if (kind && records.length > 0) stored.push(await storeKind(deps, context, kind, records));
  }
  return [...stored, { created: 0, updated: 0, unchanged: 0, events: await lateEvents(deps, context), refused: [] }];
}

async function storeKind(
  deps: StoreStreamsDependencies,
  context: BatchContext,
  kind: StreamKind,
  records: readonly AcceptedStream[],
): Promise<StoreResult> {
  const { scope, receiptId, batch, isLatest } = context;
  const lastOfKeys = [...new Map(records.map((record) => [record.providerId, record])).values()];
  const merged = await inParallel(lastOfKeys, async (accepted) => {
    const key = streamKey(context, kind, accepted.providerId);
    const incoming = { ...key, stage: batch.stage, text: JSON.stringify(accepted.content) };
    return { accepted, ...(await deps.streams.merge(scope, incoming, { receiptId, hasNoOlderPending: isLatest })) };
  });
  const count = (outcome: string) => merged.filter((result) => result.outcome === outcome).length;
  const [created, updated] = [count("created"), count("updated")];
  const unchanged = records.length - created - updated;
  const events = kind === workoutStream ? await streamEvents(deps, context, merged) : [];
  const grewBytes = merged.reduce((sum, one) => sum + (one.outcome === "created" ? one.writtenBytes : 0), 0);
  return { created, updated, unchanged, events, refused: [], grewBytes };
}

type Merged = Awaited<ReturnType<StreamStore["merge"]>> & { readonly accepted: AcceptedStream };

/** Events of workout streams. Sleep streams have no events of their own. */
async function streamEvents(
  deps: StoreStreamsDependencies,
  context: BatchContext,
  merged: readonly Merged[],
): Promise<NewEvent[]> {
  const { sendsDailyEvents, sendsHistoricalEvent } = context.announcement;
  const range = toInstantRange(merged.flatMap(({ accepted }) => [accepted.startMs, accepted.endMs]));
  const history = sendsHistoricalEvent ? [historicalEvent(context, context.receiptId, "workout_stream", range)] : [];
  const changed = sendsDailyEvents ? merged.filter(({ outcome }) => outcome !== "unchanged") : [];
  const events = await inParallel(changed, async ({ accepted, record }) => {
    const workout = await findWorkout(deps, context, accepted.providerId);
    return workout ? [toStreamEvent(context, accepted.providerId, workout, record)] : [];
  });
  return [...events.flat(), ...history];
}

/** Events of stored streams whose workouts this batch created. */
async function lateEvents(deps: StoreStreamsDependencies, context: BatchContext): Promise<NewEvent[]> {
  const { scope, batch, receiptId } = context;
  const streamed = new Set(batch.streams[workoutStream.name]?.map(({ providerId }) => providerId));
  const workouts = new Set(batch.summaries[workoutStream.of.name]?.flatMap(({ providerId }) => providerId ?? []));
  const events = await inParallel([...workouts.difference(streamed)], async (providerId) => {
    const record = await deps.streams.get(scope, streamKey(context, workoutStream, providerId));
    const isOfHistory = record?.stage === "historical";
    if (!record || (isOfHistory && !(batch.stage === "historical" && context.announcement.sendsDailyEvents))) return [];
    const workout = await findWorkout(deps, context, providerId);
    const isNew = workout?.receipt_id === receiptId && workout.verb === "created";
    return isNew ? [toStreamEvent(context, providerId, workout, record)] : [];
  });
  return events.flat();
}

function findWorkout(
  { summaries }: StoreStreamsDependencies,
  { scope, user, batch }: BatchContext,
  providerId: string,
) {
  const { provider, source_type: sourceType } = batch;
  const kind = workoutStream.of.name;
  return summaries.get(scope, { userId: user.user_id, kind, key: providerId, provider, sourceType });
}

function toStreamEvent(
  context: BatchContext,
  provider_id: string,
  workout: SummaryRecord,
  stream: StreamRecord,
): NewEvent {
  const about = { workout_id: workout.id, provider_id, sport: workout.fields.sport };
  return workoutStreamEvent(context, stream.verb, about, stream.version);
}

function streamKey({ user, batch }: BatchContext, kind: StreamKind, providerId: string): StreamKey {
  const { provider, source_type: sourceType } = batch;
  return { userId: user.user_id, kind, provider, sourceType, providerId };
}
