import { chunks, samples } from "../contract/resources.ts";
import { bucketStart } from "../domain/chunk/bucket.ts";
import type { TimeseriesResource } from "../domain/timeseries/resource.ts";
import type { Key } from "./table.ts";
import type { TeamScope } from "./team-scope.ts";

/** Samples of one user and resource that came from one provider and kind of source. */
export interface Stream {
  readonly userId: string;
  readonly resource: TimeseriesResource;
  readonly provider: string;
  readonly sourceType: string;
}

/** The partition of all chunks of a user and resource. */
export const chunkPartition = (scope: TeamScope, userId: string, resource: TimeseriesResource): string =>
  `${chunks.keyPrefix}${scope.teamId}#${userId}#${resource.name}`;

/** What the sort key of a chunk begins with: the start of its bucket to the minute, which sorts as text. */
export const bucketName = (instantMs: number, { bucketMs }: TimeseriesResource): string =>
  new Date(bucketStart(instantMs, bucketMs)).toISOString().slice(0, 16);

/** The key of the chunk that holds what a stream has at an instant (epoch ms). */
export const chunkKey = (scope: TeamScope, stream: Stream, instantMs: number): Key => ({
  pk: chunkPartition(scope, stream.userId, stream.resource),
  sk: [bucketName(instantMs, stream.resource), stream.provider, stream.sourceType].join("#"),
});

/** What the columns at a key are bound to: the table by its name in the service, which a restored one has too. */
export const placeOf = ({ pk, sk }: Key): readonly string[] => [samples.name, pk, sk];
