import { bucketStart } from "../../lib/domain/chunk/bucket.ts";
import type { Sample } from "../../lib/domain/chunk/sample.ts";
import type { TimeseriesResource } from "../../lib/domain/timeseries/resource.ts";
import { resourceNamed } from "../../lib/domain/timeseries/resources.ts";
import type { Stream } from "../../lib/store/chunk-key.ts";
import type { ChunkStore } from "../../lib/store/chunks.ts";
import { TeamScope } from "../../lib/store/team-scope.ts";
import { dayMix } from "../support/synthetic-streams.ts";

export const scope = TeamScope.grant("0b0e5f0e-1111-4111-8111-0123456789ab");

/** The resource of each stream in the day mix. */
const resources: Readonly<Record<string, TimeseriesResource>> = {
  "heart rate 5 s": resourceNamed("heartrate"),
  "glucose mg/dL": resourceNamed("glucose"),
  "steps per minute": resourceNamed("steps"),
  "kcal per minute": resourceNamed("calories_active"),
  "hrv, full doubles": resourceNamed("hrv"),
  "blood oxygen": resourceNamed("blood_oxygen"),
  "sleep stages": resourceNamed("hypnogram"),
};

/** One person's streams, each with its resource. */
export const mix = () =>
  dayMix().map((stream) => ({ ...stream, resource: resources[stream.name] ?? resourceNamed("heartrate") }));

export const streamOf = (userId: string, resource: TimeseriesResource): Stream => ({
  userId,
  resource,
  provider: "oura",
  sourceType: "ring",
});

/** Groups samples by the time bucket of their resource. */
export function inBuckets(resource: TimeseriesResource, samples: readonly Sample[]): Sample[][] {
  return [...Map.groupBy(samples, ({ start }) => bucketStart(start, resource.bucketMs)).values()];
}

let received = 0;

/** Stores one batch, like the consumer of the ingestion queue. */
export async function storeBatch(
  chunks: ChunkStore,
  stream: Stream,
  samples: readonly Sample[],
  expectNew = false,
): Promise<void> {
  const receipt = { receivedAt: Date.UTC(2026, 0, 1) + ++received, batchId: received.toString(36).padStart(8, "0") };
  await Promise.all(
    inBuckets(stream.resource, samples).map((bucket) =>
      chunks.merge(scope, stream, bucket, receipt, { expectNew, isLatest: async () => true }),
    ),
  );
}
