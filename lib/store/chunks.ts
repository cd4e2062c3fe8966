import * as z from "zod";
import { chunks } from "../contract/resources.ts";
import { bucketStart } from "../domain/chunk/bucket.ts";
import { decodeChunk, encodeChunk } from "../domain/chunk/codec.ts";
import { type MergeResult, mergeChunk } from "../domain/chunk/merge.ts";
import type { Receipt, Sample, StoredSample } from "../domain/chunk/sample.ts";
import type { DateRange } from "../domain/date-range.ts";
import type { TimeseriesResource } from "../domain/timeseries/resource.ts";
import { timeseriesResources } from "../domain/timeseries/resources.ts";
import { ConditionFailed } from "./condition-failed.ts";
import { isNew, type Key, type Table } from "./table.ts";
import type { TeamScope } from "./team-scope.ts";

/** Samples of one user and resource that came from one provider and kind of source. */
export interface Stream {
  readonly userId: string;
  readonly resource: TimeseriesResource;
  readonly provider: string;
  readonly sourceType: string;
}

/** The samples of one stored chunk within a read. */
export interface ChunkSlice {
  /** Sort key of the chunk: time bucket, provider, source type. */
  readonly sk: string;
  readonly provider: string;
  readonly sourceType: string;
  readonly samples: readonly StoredSample[];
}

const chunkItem = z.object({ pk: z.string(), sk: z.string(), b: z.instanceof(Uint8Array), v: z.number().int() });

/** The most bytes of a chunk; an item of DynamoDB holds 400 KB with its keys. */
const MOST_BYTES = 390_000;

/** Samples so many, or so long, within one time bucket that no chunk can hold them. */
export class ChunkFull extends Error {
  override readonly name = "ChunkFull";
}

/** How often a merge is tried that met another writer of the same chunk. */
const MERGE_ATTEMPTS = 20;
/** Chunks read by one request: about two pages of samples at the densest usual rate. */
const CHUNKS_PER_READ = 64;

const partition = (scope: TeamScope, userId: string, resource: TimeseriesResource) =>
  `${chunks.keyPrefix}${scope.teamId}#${userId}#${resource.name}`;

/** A bucket as it begins the sort key: its start to the minute, which sorts as text. */
const bucketName = (startMs: number) => new Date(startMs).toISOString().slice(0, 16);

/** Timeseries in time-bucketed chunks (docs/architecture.md, the life of a sample). */
export class ChunkStore {
  readonly #table: Table;

  constructor(table: Table) {
    this.#table = table;
  }

  /**
   * Merges samples of one bucket into their chunk. Read, merge, write under a version condition; a writer that loses the
   * race merges again, so no sample of either is lost.
   * @throws ChunkFull when the samples do not fit with those that are stored.
   * @param options expectNew spares the read of a bucket that most likely is empty (history); the condition decides.
   */
  async merge(
    scope: TeamScope,
    stream: Stream,
    samples: readonly Sample[],
    receipt: Receipt,
    options: { expectNew: boolean },
  ): Promise<MergeResult> {
    const first = samples[0];
    if (!first) throw new Error("nothing to merge");
    const key: Key = {
      pk: partition(scope, stream.userId, stream.resource),
      sk: [bucketName(bucketStart(first.start, stream.resource.bucketMs)), stream.provider, stream.sourceType].join(
        "#",
      ),
    };
    for (let attempt = 1; ; attempt++) {
      const stored = attempt === 1 && options.expectNew ? undefined : await this.#table.get(key, chunkItem);
      const merged = mergeChunk(stored && decodeChunk(stored.b), samples, receipt);
      if (!merged.changed) return merged;
      const bytes = encodeChunk(merged.chunk);
      if (bytes.length > MOST_BYTES) throw new ChunkFull(`${bytes.length} bytes`);
      try {
        await this.#replace(key, bytes, stored?.v);
        return merged;
      } catch (error) {
        if (!(error instanceof ConditionFailed) || attempt === MERGE_ATTEMPTS) throw error;
      }
    }
  }

  /** Writes a chunk over the version that was read, or as the first of its key. */
  #replace(key: Key, bytes: Uint8Array, version: number | undefined): Promise<void> {
    const item = { ...key, b: bytes, v: (version ?? 0) + 1 };
    if (version === undefined) return this.#table.put(item, { ConditionExpression: isNew });
    return this.#table.put(item, { ConditionExpression: "v = :v", ExpressionAttributeValues: { ":v": version } });
  }

  /**
   * Chunks of all sources in order of time, from the one that holds `fromMs` on, or from the sort key `after` on
   * (included: a page may end inside a chunk).
   */
  async *read(
    scope: TeamScope,
    userId: string,
    resource: TimeseriesResource,
    range: DateRange,
    after: string | undefined,
  ): AsyncGenerator<ChunkSlice> {
    const from = after ?? bucketName(bucketStart(range.fromMs, resource.bucketMs));
    let start: Record<string, unknown> | undefined;
    do {
      const page = await this.#table.query(
        {
          KeyConditionExpression: "pk = :pk AND sk BETWEEN :from AND :to",
          ExpressionAttributeValues: {
            ":pk": partition(scope, userId, resource),
            ":from": from,
            ":to": `${bucketName(bucketStart(range.toMs, resource.bucketMs))}~`,
          },
          Limit: CHUNKS_PER_READ,
          ...(start ? { ExclusiveStartKey: start } : {}),
        },
        chunkItem,
      );
      for (const { sk, b } of page.items) {
        const [, provider = "", sourceType = ""] = sk.split("#");
        const samples = decodeChunk(b).samples.filter(({ start }) => start >= range.fromMs && start <= range.toMs);
        yield { sk, provider, sourceType, samples };
      }
      start = page.lastKey;
    } while (start);
  }

  /** Deletes every chunk of a user. @returns how many there were. */
  async eraseUser(scope: TeamScope, userId: string): Promise<number> {
    let erased = 0;
    for (const resource of timeseriesResources) {
      erased += await this.#table.erasePartition(partition(scope, userId, resource));
    }
    return erased;
  }
}
