import * as z from "zod";
import { compareKeys, type Sample } from "../chunk/sample.ts";
import { sleep } from "../summaries/sleep.ts";
import type { AcceptanceContext, RejectionReason } from "../timeseries/acceptance.ts";
import { acceptRecord } from "../timeseries/record.ts";
import type { TimeseriesResource } from "../timeseries/resource.ts";
import { resourceNamed } from "../timeseries/resources.ts";
import { wireSampleSchema } from "../timeseries/wire-response.ts";
import { toGroupedSample } from "../timeseries/wire-sample.ts";
import { streamKind } from "./stream-kind.ts";

/** The timeseries that a sleep's stream has samples of (published interface, sleep stream). */
const resources = (["hrv", "heartrate", "hypnogram", "respiratory_rate"] as const).map(resourceNamed);

/** The course of a sleep: samples as timeseries have them, a list of each kind. */
export const sleepStream = streamKind({
  name: "sleep_stream",
  of: sleep,
  wire: z
    .object(Object.fromEntries(resources.map((resource) => [resource.name, z.array(wireSampleSchema(resource))])))
    .meta({ id: "SleepStream" }),
  read(raw, context) {
    const content: Record<string, readonly unknown[]> = {};
    let [startMs, endMs] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    for (const resource of resources) {
      const samples = readSamples(resource, raw[resource.name], context);
      if (typeof samples === "string") return samples;
      content[resource.name] = samples.map((sample) => toGroupedSample(resource, sample));
      startMs = Math.min(startMs, samples[0]?.start ?? startMs);
      endMs = Math.max(endMs, samples.at(-1)?.start ?? endMs);
    }
    return startMs <= endMs ? { content, startMs, endMs } : "bad_field";
  },
});

/** The samples in order of time, or why the first that is bad is so. */
function readSamples(
  resource: TimeseriesResource,
  given: unknown,
  context: AcceptanceContext,
): Sample[] | RejectionReason {
  const records = given ?? [];
  if (!Array.isArray(records)) return "bad_field";
  const samples: Sample[] = [];
  for (const record of records) {
    const accepted = acceptRecord(resource, record, context);
    if ("reason" in accepted) return accepted.reason;
    samples.push(accepted.ok);
  }
  return samples.sort(compareKeys);
}
