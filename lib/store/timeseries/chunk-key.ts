import { chunks, sampleTable } from "../../contract/resources.ts";
import { bucketStart } from "../../domain/timeseries/chunk/time-bucket.ts";
import type { TimeseriesResource } from "../../domain/timeseries/resource.ts";
import type { Key } from "../item.ts";
import { NO_RECORDER, type Recorder, recorderKey } from "../recorder-key.ts";
import type { TeamScope } from "../team-scope.ts";

/** Samples of one user and resource from one provider, source type and recorder. */
export interface SampleStream {
  readonly userId: string;
  readonly resource: TimeseriesResource;
  readonly provider: string;
  readonly sourceType: string;
  readonly recorder: Recorder;
}

/** Returns the partition of all chunks of a user and resource. */
export const chunkPartition = (scope: TeamScope, userId: string, resource: TimeseriesResource): string =>
  `${chunks.keyPrefix}${scope.teamId}#${userId}#${resource.name}`;

/** Returns the prefix of a chunk's sort key: the start of its bucket to the minute, which sorts as text. */
export const bucketLabel = (instantMs: number, { bucketMs }: TimeseriesResource): string =>
  new Date(bucketStart(instantMs, bucketMs)).toISOString().slice(0, 16);

/** Returns the key of the chunk that contains a stream's samples at an instant (epoch ms). */
export function chunkKey(scope: TeamScope, stream: SampleStream, instantMs: number): Key {
  const recorder = recorderKey(scope, stream.userId, stream.recorder);
  const source = [bucketLabel(instantMs, stream.resource), stream.provider, stream.sourceType];
  return {
    pk: chunkPartition(scope, stream.userId, stream.resource),
    sk: (recorder === "" ? source : [...source, recorder]).join("#"),
  };
}

/** Returns the same stream without its recorder. Earlier versions stored the samples of all recorders there. */
export const withoutRecorder = (stream: SampleStream): SampleStream => ({ ...stream, recorder: NO_RECORDER });

/** Returns the bucket, provider and source type of a chunk's sort key, without the recorder. */
export const chunkSource = (sk: string): string => sk.split("#").slice(0, 3).join("#");

/**
 * Returns the associated data of a chunk's encryption. It names the table as the service does, so a restored table
 * decrypts too.
 */
export const chunkAssociatedData = ({ pk, sk }: Key): readonly string[] => [sampleTable.name, pk, sk];

/** Returns the associated data of the encryption of a chunk's recorder. */
export const recorderAssociatedData = (key: Key): readonly string[] => [...chunkAssociatedData(key), "recorder"];
