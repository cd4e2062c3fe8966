import * as z from "zod";
import { decodeChunk, decodeColumns, encodeChunk } from "../domain/chunk/codec.ts";
import type { ChunkColumns } from "../domain/chunk/columns.ts";
import { livingColumns } from "../domain/chunk/living.ts";
import { type MergeResult, mergeChunk } from "../domain/chunk/merge.ts";
import type { Receipt, Sample } from "../domain/chunk/sample.ts";
import type { DateRange } from "../domain/date-range.ts";
import type { TimeseriesResource } from "../domain/timeseries/resource.ts";
import { timeseriesResources } from "../domain/timeseries/resources.ts";
import { bucketName, chunkKey, chunkPartition, type Stream } from "./chunk-key.ts";
import { ConditionFailed } from "./condition-failed.ts";
import { isNew, type Key, type Table } from "./table.ts";
import type { TeamScope } from "./team-scope.ts";

/** The samples of one stored chunk within a read: those at the positions `from` (included) to `to` (excluded). */
export interface ChunkSlice {
  /** Sort key of the chunk: time bucket, provider, source type. */
  readonly sk: string;
  readonly provider: string;
  readonly sourceType: string;
  readonly columns: ChunkColumns;
  readonly from: number;
  readonly to: number;
}

/** How to merge a batch. */
export interface MergeOptions {
  /** Spares the read of a bucket that most likely is empty (history); the write's condition decides. */
  readonly expectNew: boolean;
  /** Whether no batch received earlier can still arrive; asked only where the answer spares a write. */
  readonly isLatest: () => Promise<boolean>;
}

/** What to read. */
export interface ChunkQuery {
  readonly range: DateRange;
  /** Sort key to begin with (included: a page may end inside a chunk) instead of the first of the range. */
  readonly after?: string | undefined;
  /** Whether everything written before must be seen, at twice the price. */
  readonly isConsistent?: boolean;
  /** By default all sources. */
  readonly source?: Pick<Stream, "provider" | "sourceType">;
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
/** Chunks that the first request of a read asks for: a day of half hours and some, or a page at the densest usual rate. */
const FIRST_CHUNKS = 64;
/** A read that needs more is one of sparse chunks, so that each further request asks for so many times as many. */
const GROWTH = 8;

/** Timeseries in time-bucketed chunks (docs/architecture.md, the life of a sample). */
export class ChunkStore {
  readonly #table: Table;

  constructor(table: Table) {
    this.#table = table;
  }

  /**
   * Merges samples of one bucket into their chunk. Read, merge, write under a version condition; a writer that loses the
   * race merges again, so no sample of either is lost. Tells also by how many bytes the chunk grew.
   * @throws ChunkFull when the samples do not fit with those that are stored.
   */
  async merge(
    scope: TeamScope,
    stream: Stream,
    samples: readonly Sample[],
    receipt: Receipt,
    { expectNew, isLatest }: MergeOptions,
  ): Promise<MergeResult & { grewBytes: number }> {
    const first = samples[0];
    if (!first) throw new Error("nothing to merge");
    const key = chunkKey(scope, stream, first.start);
    for (let attempt = 1; ; attempt++) {
      const stored = attempt === 1 && expectNew ? undefined : await this.#table.get(key, chunkItem);
      const merged = mergeChunk(stored && decodeChunk(stored.b), samples, receipt);
      if (!merged.changed || (isRefresh(merged) && (await isLatest())))
        return { ...merged, changed: false, grewBytes: 0 };
      const bytes = encodeChunk(merged.chunk);
      if (bytes.length > MOST_BYTES) throw new ChunkFull(`${bytes.length} bytes`);
      try {
        await this.#replace(key, bytes, stored?.v);
        return { ...merged, grewBytes: bytes.length - (stored?.b.length ?? 0) };
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

  /** Chunks of all sources in order of time, each with the samples that lie in the range. */
  async *read(
    scope: TeamScope,
    userId: string,
    resource: TimeseriesResource,
    { range, after, isConsistent = false, source }: ChunkQuery,
  ): AsyncGenerator<ChunkSlice> {
    const input = {
      KeyConditionExpression: "pk = :pk AND sk BETWEEN :from AND :to",
      ExpressionAttributeValues: {
        ":pk": chunkPartition(scope, userId, resource),
        ":from": after ?? bucketName(range.fromMs, resource),
        ":to": `${bucketName(range.toMs, resource)}~`,
      },
      ConsistentRead: isConsistent,
    };
    let start: Record<string, unknown> | undefined;
    for (let Limit = FIRST_CHUNKS; ; Limit *= GROWTH) {
      const page = await this.#table.query(
        { ...input, Limit, ...(start ? { ExclusiveStartKey: start } : {}) },
        chunkItem,
      );
      for (const item of page.items) if (isOf(item, source)) yield sliceOf(item, range);
      start = page.lastKey;
      if (!start) return;
    }
  }

  /** What a stream has at these instants (epoch ms), and around them. */
  async samplesAround(scope: TeamScope, stream: Stream, startsMs: readonly number[]): Promise<Sample[]> {
    const keys = new Map(startsMs.map((startMs) => chunkKey(scope, stream, startMs)).map((key) => [key.sk, key]));
    const found = await this.#table.getMany([...keys.values()], chunkItem);
    return found.flatMap(({ b }) => decodeChunk(b).samples.filter(({ isDeleted }) => !isDeleted));
  }

  /** Deletes every chunk of a user. @returns how many there were. */
  async eraseUser(scope: TeamScope, userId: string): Promise<number> {
    let erased = 0;
    for (const resource of timeseriesResources) {
      erased += await this.#table.erasePartition(chunkPartition(scope, userId, resource));
    }
    return erased;
  }
}

/** Whether a merge does no more than note that stored values came again. */
function isRefresh({ created, updated }: MergeResult): boolean {
  return created.length === 0 && updated.length === 0;
}

function isOf({ sk }: z.output<typeof chunkItem>, source: ChunkQuery["source"]): boolean {
  return source === undefined || sk.endsWith(`#${source.provider}#${source.sourceType}`);
}

function sliceOf({ sk, b }: z.output<typeof chunkItem>, { fromMs, toMs }: DateRange): ChunkSlice {
  const [, provider = "", sourceType = ""] = sk.split("#");
  const columns = livingColumns(decodeColumns(b));
  return {
    sk,
    provider,
    sourceType,
    columns,
    from: firstAt(columns.starts, fromMs),
    to: firstAt(columns.starts, toMs + 1),
  };
}

/** Position of the first start at or after `instantMs`. */
function firstAt(starts: Float64Array, instantMs: number): number {
  let low = 0;
  let high = starts.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((starts[middle] ?? 0) < instantMs) low = middle + 1;
    else high = middle;
  }
  return low;
}
