import type { AcceptedStream, StreamKind } from "../domain/streams/stream-kind.ts";
import { findStreamKind } from "../domain/streams/stream-kinds.ts";
import { workoutStream } from "../domain/streams/workout-stream.ts";
import type { NewEvent } from "../events/compose-event.ts";
import { historicalEvent, workoutStreamEvent } from "../events/data-events.ts";
import type { StreamKey } from "../store/stream-keys.ts";
import type { StreamRecord, StreamStore } from "../store/streams.ts";
import type { SummaryStore } from "../store/summaries.ts";
import type { SummaryRecord } from "../store/summary-record.ts";
import { inParallel, type Stored, type StoringContext } from "./storing.ts";
import { rangeOf } from "./telling-stored.ts";

interface StreamUses {
  readonly streams: StreamStore;
  readonly summaries: SummaryStore;
}

/**
 * Stores the streams of a batch, after its summaries. A stream may arrive before its workout; the batch that completes
 * the pair records the event. If two concurrent batches bring one part each, at least one finds both, because each
 * writes its own part before it looks up the other. If both find both, they record the same event.
 */
export async function storeStreams(uses: StreamUses, context: StoringContext): Promise<Stored[]> {
  const stored: Stored[] = [];
  for (const [name, records] of Object.entries(context.batch.streams)) {
    const kind = findStreamKind(name);
    if (kind && records.length > 0) stored.push(await storeKind(uses, context, kind, records));
  }
  return [...stored, { created: 0, updated: 0, unchanged: 0, events: await lateEvents(uses, context), refused: [] }];
}

async function storeKind(
  uses: StreamUses,
  context: StoringContext,
  kind: StreamKind,
  records: readonly AcceptedStream[],
): Promise<Stored> {
  const { scope, receiptId, batch, isLatest } = context;
  const lastOfKeys = [...new Map(records.map((record) => [record.providerId, record])).values()];
  const merged = await inParallel(lastOfKeys, async (accepted) => {
    const key = streamKey(context, kind, accepted.providerId);
    const incoming = { ...key, stage: batch.stage, text: JSON.stringify(accepted.content) };
    return { accepted, ...(await uses.streams.merge(scope, incoming, { receiptId, isLatest })) };
  });
  const count = (outcome: string) => merged.filter((result) => result.outcome === outcome).length;
  const [created, updated] = [count("created"), count("updated")];
  const unchanged = records.length - created - updated;
  const events = kind === workoutStream ? await eventsOf(uses, context, merged) : [];
  const grewBytes = merged.reduce((sum, one) => sum + (one.outcome === "created" ? one.writtenBytes : 0), 0);
  return { created, updated, unchanged, events, refused: [], grewBytes };
}

type Merged = Awaited<ReturnType<StreamStore["merge"]>> & { readonly accepted: AcceptedStream };

/** Events of workout streams. Sleep streams have no events of their own. */
async function eventsOf(uses: StreamUses, context: StoringContext, merged: readonly Merged[]): Promise<NewEvent[]> {
  const { byRecord, asHistory } = context.announcement;
  const range = rangeOf(merged.flatMap(({ accepted }) => [accepted.startMs, accepted.endMs]));
  const history = asHistory ? [historicalEvent(context, context.receiptId, "workout_stream", range)] : [];
  const changed = byRecord ? merged.filter(({ outcome }) => outcome !== "unchanged") : [];
  const events = await inParallel(changed, async ({ accepted, record }) => {
    const workout = await workoutOf(uses, context, accepted.providerId);
    return workout ? [eventOf(context, accepted.providerId, workout, record)] : [];
  });
  return [...events.flat(), ...history];
}

/** Events of stored streams whose workouts this batch created. */
async function lateEvents(uses: StreamUses, context: StoringContext): Promise<NewEvent[]> {
  const { scope, batch, receiptId } = context;
  const streamed = new Set(batch.streams[workoutStream.name]?.map(({ providerId }) => providerId));
  const workouts = new Set(batch.summaries[workoutStream.of.name]?.flatMap(({ providerId }) => providerId ?? []));
  const events = await inParallel([...workouts.difference(streamed)], async (providerId) => {
    const record = await uses.streams.get(scope, streamKey(context, workoutStream, providerId));
    const isOfHistory = record?.stage === "historical";
    if (!record || (isOfHistory && !(batch.stage === "historical" && context.announcement.byRecord))) return [];
    const workout = await workoutOf(uses, context, providerId);
    const isNew = workout?.receipt_id === receiptId && workout.verb === "created";
    return isNew ? [eventOf(context, providerId, workout, record)] : [];
  });
  return events.flat();
}

function workoutOf({ summaries }: StreamUses, { scope, user, batch }: StoringContext, providerId: string) {
  const { provider, source_type: sourceType } = batch;
  const kind = workoutStream.of.name;
  return summaries.get(scope, { userId: user.user_id, kind, key: providerId, provider, sourceType });
}

function eventOf(context: StoringContext, provider_id: string, workout: SummaryRecord, stream: StreamRecord): NewEvent {
  const about = { workout_id: workout.id, provider_id, sport: workout.fields.sport };
  return workoutStreamEvent(context, stream.verb, about, stream.version);
}

function streamKey({ user, batch }: StoringContext, kind: StreamKind, providerId: string): StreamKey {
  const { provider, source_type: sourceType } = batch;
  return { userId: user.user_id, kind, provider, sourceType, providerId };
}
