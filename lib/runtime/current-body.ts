import * as z from "zod";
import { sampleName } from "../domain/chunk/sample.ts";
import { toGroupedSample } from "../domain/timeseries/wire-sample.ts";
import type { EventReference } from "../events/envelope.ts";
import { isTestEvent } from "../events/event-id.ts";
import { type NamedSamples, namedSamples } from "../events/named-samples.ts";
import type { ChunkStore } from "../store/chunks.ts";
import type { OutboxStore } from "../store/outbox.ts";
import type { TeamScope } from "../store/team-scope.ts";

/** Where the present values of what events told lie. */
export interface CurrentBodyUses {
  readonly outbox: OutboxStore;
  readonly chunks: ChunkStore;
}

/** An event as it is stored. */
export interface BuiltEvent {
  readonly reference: EventReference;
  /** The body as first built, JSON text; undefined once it is expired or erased. */
  readonly text: string | undefined;
  /** The newest event of the same key; undefined where there never was another. */
  readonly newest: EventReference | undefined;
}

/** Objects of JSON, with their names in the order in which they stand. */
const json = z.record(z.string(), z.unknown());
type Data = z.output<typeof json>;

/**
 * The body of an event as it is to be sent now, JSON text: with the present values of what it tells of, so that an attempt
 * that comes late brings nothing back that was replaced (docs/events.md, Order). Where nothing was replaced it is, byte
 * for byte, the body as first built. Undefined when there is nothing to send any more.
 */
export async function currentBody(
  scope: TeamScope,
  built: BuiltEvent,
  uses: CurrentBodyUses,
): Promise<string | undefined> {
  const { reference: event, text } = built;
  if (text === undefined || isTestEvent(event)) return text;
  const body = json.parse(JSON.parse(text));
  // A list tells of changes, which nothing replaces.
  if (Array.isArray(body.data)) return text;
  const builtData = json.parse(body.data);
  const named = namedSamples(event.type, builtData);
  const data = named
    ? await currentSamples(scope, event, builtData, named, uses)
    : await newestData(built, builtData, uses);
  return data && JSON.stringify({ ...body, data });
}

/** The data of an event with its samples as they are stored now, without those that are gone. */
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

/** The data of the newest event of the same key; of one whose event is not written yet, the event's own. */
async function newestData({ reference, newest }: BuiltEvent, data: Data, { outbox }: CurrentBodyUses): Promise<Data> {
  if (!newest || newest.version <= reference.version) return data;
  const text = await outbox.body(newest);
  return text === undefined ? data : json.parse(json.parse(JSON.parse(text)).data);
}
