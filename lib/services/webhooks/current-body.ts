import * as z from "zod";
import { sampleKey } from "../../domain/timeseries/chunk/sample.ts";
import { toWireSample } from "../../domain/timeseries/wire-sample.ts";
import type { EventReference } from "../../events/catalogue/envelope.ts";
import { isTestEvent } from "../../events/catalogue/event-id.ts";
import { effectOfNewer } from "../../events/catalogue/replaced-events.ts";
import { parseSampleReferences, type SampleReferences } from "../../events/constructors/sample-references.ts";
import { isSubscribed, type WebhookEndpoint } from "../../events/webhooks/webhook-endpoint.ts";
import type { Dependencies } from "../../runtime/dependency-table.ts";
import type { TeamScope } from "../../store/team-scope.ts";

/** Dependencies of reading the current values behind an event. */
export type CurrentBodyDependencies = Dependencies<"outbox" | "chunks">;

/** An event as it is stored, for one endpoint. */
export interface StoredEventBody {
  readonly endpoint: WebhookEndpoint;
  readonly reference: EventReference;
  /** The original body, JSON text; undefined once it is expired or erased. */
  readonly text: string | undefined;
  /** Reads the newest event that may replace this one; undefined if there is none. Samples need no such read. */
  readonly readNewest: () => Promise<EventReference | undefined>;
}

/** A JSON object. Parsing keeps the order of its keys. */
const json = z.record(z.string(), z.unknown());
type Data = z.output<typeof json>;

/**
 * Returns the body of an event with current values, JSON text, so that a late attempt never sends replaced data
 * (docs/events.md, Order). If nothing was replaced, the result equals the original body byte for byte. Undefined if
 * nothing is left to send.
 */
export async function resolveCurrentBody(
  scope: TeamScope,
  built: StoredEventBody,
  deps: CurrentBodyDependencies,
): Promise<string | undefined> {
  const { reference: event, text } = built;
  if (text === undefined || isTestEvent(event)) return text;
  const body = json.parse(JSON.parse(text));
  // A list describes changes, and later events do not replace changes.
  if (Array.isArray(body.data)) return text;
  const builtData = json.parse(body.data);
  const named = parseSampleReferences(event.type, builtData);
  const data = named
    ? await currentSamples(scope, event, builtData, named, deps)
    : await newestData(built, builtData, deps);
  return data && JSON.stringify({ ...body, data });
}

/** Returns the data of an event with its samples as currently stored, without deleted ones. */
async function currentSamples(
  scope: TeamScope,
  { user_id: userId }: EventReference,
  data: Data,
  { resource, provider, sourceType, recorder, samples }: SampleReferences,
  { chunks }: CurrentBodyDependencies,
): Promise<Data | undefined> {
  const stream = { userId, resource, provider, sourceType, recorder };
  const starts = samples.map(({ start }) => start);
  const stored = await chunks.getSamplesAround(scope, stream, starts);
  const byName = new Map(stored.map((sample) => [sampleKey(sample), sample]));
  const present = samples.flatMap((sample) => byName.get(sampleKey(sample)) ?? []);
  if (present.length === 0) return undefined;
  return { ...data, data: present.map((sample) => toWireSample(resource, sample)) };
}

/**
 * Returns the data of the newest event that replaces this one, or the event's own if the newest one is not stored yet.
 * Undefined if the endpoint receives a newer event that contradicts this one.
 */
async function newestData(
  { reference, endpoint, readNewest }: StoredEventBody,
  data: Data,
  { outbox }: CurrentBodyDependencies,
): Promise<Data | undefined> {
  const newest = await readNewest();
  if (!newest) return data;
  const effect = effectOfNewer(reference, newest);
  if (effect === "contradicts" && isSubscribed(endpoint, newest.type)) return undefined;
  if (effect !== "replaces") return data;
  const text = await outbox.getBody(newest);
  return text === undefined ? data : json.parse(json.parse(JSON.parse(text)).data);
}
