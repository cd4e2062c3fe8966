import * as z from "zod";
import { sampleKey } from "../../domain/timeseries/chunk/sample.ts";
import { toWireSample } from "../../domain/timeseries/wire-sample.ts";
import type { EventReference } from "../../events/catalogue/envelope.ts";
import { isTestEvent } from "../../events/catalogue/event-id.ts";
import { effectOfNewer, isStep } from "../../events/catalogue/replaced-events.ts";
import { parseSampleReferences, type SampleReferences } from "../../events/constructors/sample-references.ts";
import { isSubscribed, type WebhookEndpoint } from "../../events/webhooks/webhook-endpoint.ts";
import type { Dependencies } from "../../runtime/dependency-table.ts";
import type { TeamScope } from "../../store/team-scope.ts";

/** Dependencies of reading the current values behind an event. */
export type CurrentBodyDependencies = Dependencies<"chunks" | "deliveries" | "newestEvents" | "outbox" | "read">;

/** An event as it is stored, for one endpoint. */
export interface StoredEventBody {
  readonly endpoint: WebhookEndpoint;
  readonly reference: EventReference;
  /** The original body, JSON text; undefined once it is expired or erased. */
  readonly text: string | undefined;
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
  { reference, endpoint }: StoredEventBody,
  data: Data,
  deps: CurrentBodyDependencies,
): Promise<Data | undefined> {
  const [newest] = await deps.read([deps.newestEvents.readItem(reference)]);
  if (!newest) return data;
  const effect = effectOfNewer(reference, newest);
  if (effect === "none" || (isStep(reference) && (await comesLater(newest, endpoint, deps)))) return data;
  if (effect === "contradicts") return isSubscribed(endpoint, newest.type) ? undefined : data;
  const text = await deps.outbox.getBody(newest);
  return text === undefined ? data : json.parse(json.parse(JSON.parse(text)).data);
}

/** Whether an event is still to be sent to an endpoint for the first time. */
async function comesLater(
  event: EventReference,
  endpoint: WebhookEndpoint,
  deps: CurrentBodyDependencies,
): Promise<boolean> {
  if (!isSubscribed(endpoint, event.type)) return false;
  const [delivery] = await deps.read([deps.deliveries.readItem({ ...event, endpoint_id: endpoint.endpoint_id })]);
  const isWaiting = delivery === undefined || delivery.state === "pending" || delivery.state === "parked";
  return isWaiting && !delivery?.attempts.length;
}
