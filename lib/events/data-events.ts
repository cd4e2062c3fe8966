import type { SampleBatch } from "../domain/batch.ts";
import type { Sample } from "../domain/chunk/sample.ts";
import { sourceId } from "../domain/sources/providers.ts";
import type { WireSource } from "../domain/sources/source.ts";
import type { AnnouncedSummaryName } from "../domain/summaries/summary-names.ts";
import type { KnownResource } from "../domain/timeseries/resources.ts";
import { toGroupedSample } from "../domain/timeseries/wire-sample.ts";
import type { UserRecord } from "../domain/user.ts";
import type { DataName, Verb } from "./catalogue.ts";
import { compose, composeForTeam, type NewEvent, newEvent } from "./compose-event.ts";
import { type EventBody, isOfUser } from "./envelope.ts";

/** What every event of stored data needs to say. */
export interface DataContext {
  readonly user: UserRecord;
  readonly source: WireSource;
  readonly receiptId: string;
}

/** Samples in one event at most; their JSON, compressed, stays below the 400 KB of a table item. */
const SAMPLES_PER_EVENT = 1_000;
/** Texts may have 4,096 characters each. */
const TEXTS_PER_EVENT = 25;

/**
 * The events of samples that a batch created or updated (spec, Timeseries events). Parts are cut by the position of a
 * sample in its batch, which stays the same when the batch is consumed again.
 * @param positions the place of each sample in the batch.
 */
export function timeseriesEvents(
  { user, source, receiptId }: DataContext,
  resource: KnownResource,
  verb: Verb,
  samples: readonly { readonly position: number; readonly sample: Sample }[],
): NewEvent[] {
  const most = resource.value === "string" ? TEXTS_PER_EVENT : SAMPLES_PER_EVENT;
  const parts = Map.groupBy(samples, ({ position }) => Math.floor(position / most));
  return [...parts].map(([part, members]) => {
    const key = [receiptId, resource.name, part].join("#");
    const data = members.map(({ sample }) => toGroupedSample(resource, sample));
    const type = `daily.data.${resource.eventName}.${verb}` as const;
    // Samples of one stream may overwrite one another, whichever batch brought them.
    const orderKey = [user.user_id, resource.name, source.provider, source.type].join("#");
    return newEvent(user, type, key, 1, { source, source_id: sourceId(source.provider), data }, orderKey);
  });
}

/** The event of one summary (spec, Summary events): the summary itself is the data. */
export function summaryEvent(
  { user, source }: DataContext,
  resource: AnnouncedSummaryName,
  verb: Verb,
  summary: { readonly id: string },
  version: number,
): NewEvent {
  return newEvent(user, `daily.data.${resource}.${verb}`, summary.id, version, { ...summary, source });
}

/** The event of a device (spec, Other event facts): what is known of it, whether it came with the history or later. */
export function deviceEvent(
  { user, source }: DataContext,
  verb: Verb,
  device: { readonly id: string },
  version: number,
): NewEvent {
  return newEvent(user, `provider.device.${verb}`, device.id, version, { ...device, source });
}

/** What the event of a stream says of its workout. */
interface StreamedWorkout {
  readonly workout_id: string;
  readonly provider_id: string;
  readonly sport: unknown;
}

/** The event of a workout's stream (spec, Workout stream events): shallow, because a stream is longer than an event may be. */
export function workoutStreamEvent(
  { user, source }: DataContext,
  verb: Verb,
  workout: StreamedWorkout,
  version: number,
): NewEvent {
  const message = "The stream can be read at GET /v2/timeseries/workouts/{workout_id}/stream.";
  const key = `${workout.workout_id}#stream`;
  return newEvent(user, `daily.data.workout_stream.${verb}`, key, version, { ...workout, source, message });
}

/**
 * The event that tells that the history of a resource is complete; it carries the range and no data.
 * @param historyId what delivered the history: the receipt of its last batch, or the pull that it was; told once for each.
 */
export function historicalEvent(
  { user, source }: Pick<DataContext, "user" | "source">,
  historyId: string,
  eventName: DataName,
  range: { readonly start_date: string; readonly end_date: string },
): NewEvent {
  const data = { ...range, is_final: true, provider: source.provider };
  // Phones name their synchronisations themselves, and many alike.
  const key = `${user.user_id}#${historyId}#${eventName}`;
  return newEvent(user, `historical.data.${eventName}.created`, key, 1, data);
}

/** The notice that an event could not be delivered to an endpoint, after its last attempt; of whom the event is. */
export function exhaustedEvent(
  failed: EventBody,
  about: { messageId: string; endpointId: string; lastStatus: number },
): NewEvent {
  const key = `${about.messageId}#${about.endpointId}`;
  const data = { message_id: about.messageId, endpoint_id: about.endpointId, last_status: about.lastStatus };
  const type = "message.attempt.exhausted";
  return isOfUser(failed) ? compose(failed, type, key, 1, data) : composeForTeam(failed.team_id, type, key, 1, data);
}

/** How stored data is told of. */
export interface Announcement {
  /** By daily events with what was created and updated. */
  readonly byRecord: boolean;
  /** By one event for each resource, that its history is there. */
  readonly asHistory: boolean;
}

/** How the data of a batch is told of. @param pushesHistory whether the team wants the data of histories too. */
export function announcementOf(
  { stage, is_final }: Pick<SampleBatch, "stage" | "is_final">,
  pushesHistory: boolean,
): Announcement {
  if (stage === "daily") return { byRecord: true, asHistory: false };
  return { byRecord: pushesHistory, asHistory: is_final };
}
