import type { Sample } from "../../lib/domain/timeseries/chunk/sample.ts";
import { bucketStart } from "../../lib/domain/timeseries/chunk/time-bucket.ts";
import type { TimeseriesResource } from "../../lib/domain/timeseries/resource.ts";
import { getResource } from "../../lib/domain/timeseries/resources.ts";
import { NO_RECORDER } from "../../lib/store/recorder-key.ts";
import { TeamScope } from "../../lib/store/team-scope.ts";
import type { SampleStream } from "../../lib/store/timeseries/chunk-key.ts";
import type { ChunkStore } from "../../lib/store/timeseries/chunks.ts";
import { dailyStreamMix } from "../support/synthetic-streams.ts";

export const benchScope = TeamScope.grant("0b0e5f0e-1111-4111-8111-0123456789ab");

/** The resource of each stream in the day mix. */
const resources: Readonly<Record<string, TimeseriesResource>> = {
  "heart rate 5 s": getResource("heartrate"),
  "glucose mg/dL": getResource("glucose"),
  "steps per minute": getResource("steps"),
  "kcal per minute": getResource("calories_active"),
  "hrv, full doubles": getResource("hrv"),
  "blood oxygen": getResource("blood_oxygen"),
  "sleep stages": getResource("hypnogram"),
};

/** One person's streams, each with its resource. */
export const dailyStreams = () =>
  dailyStreamMix().map((stream) => ({ ...stream, resource: resources[stream.name] ?? getResource("heartrate") }));

export const createStream = (userId: string, resource: TimeseriesResource): SampleStream => ({
  userId,
  resource,
  provider: "oura",
  sourceType: "ring",
  recorder: NO_RECORDER,
});

/** Groups samples by the time bucket of their resource. */
export function groupByBucket(resource: TimeseriesResource, samples: readonly Sample[]): Sample[][] {
  return [...Map.groupBy(samples, ({ start }) => bucketStart(start, resource.bucketMs)).values()];
}

let received = 0;

/** Stores one batch, like the consumer of the ingestion queue. */
export async function storeBatch(
  chunks: ChunkStore,
  stream: SampleStream,
  samples: readonly Sample[],
  expectNew = false,
): Promise<void> {
  const receipt = { receivedAt: Date.UTC(2026, 0, 1) + ++received, batchId: received.toString(36).padStart(8, "0") };
  await Promise.all(
    groupByBucket(stream.resource, samples).map((bucket) =>
      chunks.merge(benchScope, stream, bucket, receipt, { expectNew, hasNoOlderPending: async () => true }),
    ),
  );
}
