import * as z from "zod";
import { sampleName } from "../domain/chunk/sample.ts";
import { toGroupedSample } from "../domain/timeseries/wire-sample.ts";
import type { EventReference } from "../events/envelope.ts";
import { isTestEvent } from "../events/event-id.ts";
import { type NamedSamples, namedSamples } from "../events/named-samples.ts";
import type { ChunkStore } from "../store/chunks.ts";
import type { OutboxStore } from "../store/outbox.ts";
import type { TeamScope } from "../store/team-scope.ts";

/** Dependencies of reading the current values behind an event. */
export interface CurrentBodyUses {
  readonly outbox: OutboxStore;
  readonly chunks: ChunkStore;
}

/** An event as it is stored. */
export interface BuiltEvent {
  readonly reference: EventReference;
  /** The original body, JSON text; undefined once it is expired or erased. */
  readonly text: string | undefined;
  /** The newest event with the same key; undefined if there is only one. */
  readonly newest: EventReference | undefined;
}

/** A JSON object. Parsing keeps the order of its keys. */
const json = z.record(z.string(), z.unknown());
type Data = z.output<typeof json>;

/**
 * Returns the body of an event with current values, JSON text, so that a late attempt never sends replaced data
 * (docs/events.md, Order). If nothing was replaced, the result equals the original body byte for byte. Undefined if
 * nothing is left to send.
 */
export async function currentBody(
  scope: TeamScope,
  built: BuiltEvent,
  uses: CurrentBodyUses,
): Promise<string | undefined> {
  const { reference: event, text } = built;
  if (text === undefined || isTestEvent(event)) return text;
  const body = json.parse(JSON.parse(text));
  // A list describes changes, and later events do not replace changes.
  if (Array.isArray(body.data)) return text;
  const builtData = json.parse(body.data);
  const named = namedSamples(event.type, builtData);
  const data = named
    ? await currentSamples(scope, event, builtData, named, uses)
    : await newestData(built, builtData, uses);
  return data && JSON.stringify({ ...body, data });
}

/** Returns the data of an event with its samples as currently stored, without deleted ones. */
async function currentSamples(
  scope: TeamScope,
  { user_id: userId }: EventReference,
  data: Data,
  { resource, provider, sourceType, samples }: NamedSamples,
  { chunks }: CurrentBodyUses,
): Promise<Data | undefined> {
  const stream = { userId, resource, provider, sourceType };
  const starts = samples.map(({ start }) => start);
  const stored = await chunks.samplesAround(scope, stream, starts);
  const byName = new Map(stored.map((sample) => [sampleName(sample), sample]));
  const present = samples.flatMap((sample) => byName.get(sampleName(sample)) ?? []);
  if (present.length === 0) return undefined;
  return { ...data, data: present.map((sample) => toGroupedSample(resource, sample)) };
}

/** Returns the data of the newest event with the same key, or the event's own if the newest event is not stored yet. */
async function newestData({ reference, newest }: BuiltEvent, data: Data, { outbox }: CurrentBodyUses): Promise<Data> {
  if (!newest || newest.version <= reference.version) return data;
  const text = await outbox.body(newest);
  return text === undefined ? data : json.parse(json.parse(JSON.parse(text)).data);
}
