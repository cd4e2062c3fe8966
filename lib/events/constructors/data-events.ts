import { sourceId } from "../../domain/connections/providers/providers.ts";
import type { WireSource } from "../../domain/connections/sources/source.ts";
import type { SampleBatch } from "../../domain/ingest/batch.ts";
import type { SummaryNameWithEvents } from "../../domain/summaries/summary-names.ts";
import type { Sample } from "../../domain/timeseries/chunk/sample.ts";
import type { KnownResource } from "../../domain/timeseries/resources.ts";
import { toWireSample } from "../../domain/timeseries/wire-sample.ts";
import type { UserRecord } from "../../domain/users/user.ts";
import type { DataChange, DataResourceName } from "../catalogue/catalogue.ts";
import { type EventBody, isUserEvent } from "../catalogue/envelope.ts";
import { composeDataEvent, composeEvent, composeTeamEvent, type NewEvent } from "./compose-event.ts";

/** Context that every data event needs. */
export interface DataContext {
  readonly user: UserRecord;
  readonly source: WireSource;
  readonly receiptId: string;
}

/** Maximum number of samples in one event. Their compressed JSON stays below the 400 KB of a table item. */
const MAX_SAMPLES_PER_EVENT = 1_000;
/** Maximum number of text samples in one event. A text has up to 4,096 characters. */
const MAX_TEXTS_PER_EVENT = 25;

/**
 * Returns the events for samples that a batch created or updated. The position of a sample in its batch decides its
 * event, so consuming the batch again yields the same events.
 * @param positions the position of each sample in the batch.
 */
export function timeseriesEvents(
  { user, source, receiptId }: DataContext,
  resource: KnownResource,
  verb: DataChange,
  samples: readonly { readonly position: number; readonly sample: Sample }[],
): NewEvent[] {
  const most = resource.value === "string" ? MAX_TEXTS_PER_EVENT : MAX_SAMPLES_PER_EVENT;
  const parts = Map.groupBy(samples, ({ position }) => Math.floor(position / most));
  return [...parts].map(([part, members]) => {
    const key = [receiptId, resource.name, part].join("#");
    const data = members.map(({ sample }) => toWireSample(resource, sample));
    const type = `daily.data.${resource.eventName}.${verb}` as const;
    // Samples of one stream may overwrite each other across batches, so they share an ordering key.
    const orderKey = [user.user_id, resource.name, source.provider, source.type].join("#");
    const content = { source, source_id: sourceId(source.provider), data };
    const samples = { resource: resource.name, samples: members.map(({ sample }) => sample) };
    return { ...composeDataEvent(user, type, key, 1, content, orderKey), samples };
  });
}

/** Returns the event for one summary. Its data is the summary itself. */
export function summaryEvent(
  { user, source }: DataContext,
  resource: SummaryNameWithEvents,
  verb: DataChange,
  summary: { readonly id: string },
  version: number,
): NewEvent {
  return composeDataEvent(user, `daily.data.${resource}.${verb}`, summary.id, version, { ...summary, source });
}

/** Returns the event for a device, whether it came with the history or later. */
export function deviceEvent(
  { user, source }: DataContext,
  verb: DataChange,
  device: { readonly id: string },
  version: number,
): NewEvent {
  return composeDataEvent(user, `provider.device.${verb}`, device.id, version, { ...device, source });
}

/** Fields of a workout in the event of its stream. */
interface StreamedWorkout {
  readonly workout_id: string;
  readonly provider_id: string;
  readonly sport: unknown;
}

/** Returns the event for a workout stream. It omits the stream itself, which would exceed the size of an event. */
export function workoutStreamEvent(
  { user, source }: DataContext,
  verb: DataChange,
  workout: StreamedWorkout,
  version: number,
): NewEvent {
  const message = "The stream can be read at GET /v2/timeseries/workouts/{workout_id}/stream.";
  const key = `${workout.workout_id}#stream`;
  return composeDataEvent(user, `daily.data.workout_stream.${verb}`, key, version, { ...workout, source, message });
}

/**
 * Returns the event for the complete history of a resource. It contains the range and no data.
 * @param historyId id of the delivery: the receipt of the last batch, or the pull. Each id yields one event.
 */
export function historicalEvent(
  { user, source }: Pick<DataContext, "user" | "source">,
  historyId: string,
  eventName: DataResourceName,
  range: { readonly start_date: string; readonly end_date: string },
): NewEvent {
  const data = { ...range, is_final: true, provider: source.provider };
  // Phones choose the ids of their synchronizations, and many choose the same id.
  const key = `${user.user_id}#${historyId}#${eventName}`;
  return composeDataEvent(user, `historical.data.${eventName}.created`, key, 1, data);
}

/**
 * Returns the notice of an event whose last attempt at an endpoint failed. It names the user of that event.
 * @param about `resentAt` is the start of a schedule after the first one, which has its own notice.
 */
export function exhaustedEvent(
  failed: EventBody,
  about: { messageId: string; endpointId: string; lastStatus: number; resentAt?: string | undefined },
): NewEvent {
  const key = [about.messageId, about.endpointId, about.resentAt ?? []].flat().join("#");
  const data = { message_id: about.messageId, endpoint_id: about.endpointId, last_status: about.lastStatus };
  const type = "message.attempt.exhausted";
  return isUserEvent(failed)
    ? composeEvent(failed, type, key, 1, data)
    : composeTeamEvent(failed.team_id, type, key, 1, data);
}

/** Selection of the events for stored data. */
export interface DataEventSelection {
  /** Daily events for created and updated records. */
  readonly sendsDailyEvents: boolean;
  /** One historical event for each resource. */
  readonly sendsHistoricalEvent: boolean;
}

/**
 * Selects the events for the data of a batch.
 * @param pushesHistory whether the team also receives historical data as daily events.
 */
export function selectDataEvents(
  { stage, is_final }: Pick<SampleBatch, "stage" | "is_final">,
  pushesHistory: boolean,
): DataEventSelection {
  if (stage === "daily") return { sendsDailyEvents: true, sendsHistoricalEvent: false };
  return { sendsDailyEvents: pushesHistory, sendsHistoricalEvent: is_final };
}
