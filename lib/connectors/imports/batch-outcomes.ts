import { sourceTypes } from "../../domain/connections/sources/source-types.ts";
import type { PulledBatch } from "../connector.ts";
import type { MappingOutcome, OutgoingRecord, RecordSource } from "./mapping-outcome.ts";

/** The field that identifies a record of a summary or stream within its source, as in the store. */
const keyFields: Readonly<Record<string, string>> = {
  workouts: "provider_id",
  workout_stream: "provider_id",
  sleep_stream: "provider_id",
  sleep: "bedtime_start",
  sleep_cycle: "session_start",
  activity: "calendar_date",
  body: "calendar_date",
};

/** Converts what a connector maps from a provider's record to outcomes. A record without content is left out. */
export function toOutcomes(batches: readonly PulledBatch[], leftOut = "record without values"): MappingOutcome[] {
  const sent = batches.flatMap((batch) => {
    const source = toSource(batch);
    return Object.entries(batch.resources).flatMap(([resource, records]) =>
      records.map((content) => ({ send: { resource, source, key: keyOf(resource, content), content } })),
    );
  });
  return sent.length > 0 ? sent : [{ leftOut }];
}

const sources = new Map<string, RecordSource>();

/** One object per source, so that its key is computed once. */
function toSource({ source_type, device_id = null, app_id = null }: PulledBatch): RecordSource {
  const text = JSON.stringify([source_type, device_id, app_id]);
  const type = sourceTypes.find((one) => one === source_type) ?? "unknown";
  const source = sources.get(text) ?? { type, deviceId: device_id || null, appId: app_id || null };
  sources.set(text, source);
  return source;
}

function keyOf(resource: string, content: OutgoingRecord["content"]): string | number {
  if (resource === "profile") return "profile";
  const field = keyFields[resource];
  if (field !== undefined) return String(content[field]);
  const ms = Date.parse(String(content.start ?? content.timestamp));
  return Number.isNaN(ms) ? String(content.start ?? content.timestamp) : ms;
}
