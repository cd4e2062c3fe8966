import * as z from "zod";
import type { AcceptanceContext } from "../../ingest/ingestion-bounds.ts";
import type { DroppedField } from "../../ingest/refusal.ts";
import { acceptRecord } from "../../timeseries/accept-record.ts";
import { compareSampleKeys, type Sample } from "../../timeseries/chunk/sample.ts";
import { recordSchema } from "../../timeseries/record-schema.ts";
import type { TimeseriesResource } from "../../timeseries/resource.ts";
import { getResource } from "../../timeseries/resources.ts";
import { wireSampleSchema } from "../../timeseries/wire-response.ts";
import { toWireSample } from "../../timeseries/wire-sample.ts";
import { sleep } from "../sleep.ts";
import { defineStreamKind } from "./stream-kind.ts";

/** The timeseries in a sleep stream, as in the public API. */
const resources = (["hrv", "heartrate", "hypnogram", "respiratory_rate"] as const).map(getResource);

/** The stream of a sleep: one list of timeseries samples per resource. */
export const sleepStream = defineStreamKind({
  name: "sleep_stream",
  of: sleep,
  wire: z
    .object(Object.fromEntries(resources.map((resource) => [resource.name, z.array(wireSampleSchema(resource))])))
    .meta({ id: "SleepStream" }),
  lists: () => Object.fromEntries(resources.map((resource) => [resource.name, samplesSchema(resource)])),
  read(raw, context) {
    const content: Record<string, readonly unknown[]> = {};
    let [startMs, endMs] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    const dropped: DroppedField[] = [];
    for (const resource of resources) {
      const { samples, why } = readSamples(resource, raw[resource.name], context);
      if (why) dropped.push(why);
      content[resource.name] = samples.map((sample) => toWireSample(resource, sample));
      startMs = Math.min(startMs, samples[0]?.start ?? startMs);
      endMs = Math.max(endMs, samples.at(-1)?.start ?? endMs);
    }
    return startMs <= endMs
      ? { content, startMs, endMs, dropped }
      : (dropped[0] ?? { field: null, reason: "bad_field" });
  },
});

const samplesSchema = (resource: TimeseriesResource) =>
  z.array(recordSchema(resource)).nullish().describe(`Samples of ${resource.name}. A stream has at least one sample`);

interface ReadSamples {
  readonly samples: readonly Sample[];
  /** The omitted samples, if any. */
  readonly why?: DroppedField;
}

/** Reads the valid samples in time order. */
function readSamples(resource: TimeseriesResource, given: unknown, context: AcceptanceContext): ReadSamples {
  const records = given ?? [];
  if (!Array.isArray(records)) {
    return { samples: [], why: { field: resource.name, reason: "bad_field" } };
  }
  const judged = records.map((record) => acceptRecord(resource, record, context));
  const samples = judged.flatMap((one) => ("ok" in one ? [one.ok] : [])).sort(compareSampleKeys);
  const [bad] = judged.flatMap((one) =>
    "reason" in one ? [one.reason] : (one.dropped ?? []).map(({ reason }) => reason),
  );
  const count = judged.filter((one) => "reason" in one || one.dropped).length;
  if (bad === undefined) return { samples };
  return { samples, why: { field: resource.name, reason: bad, omitted: [count, records.length] } };
}
