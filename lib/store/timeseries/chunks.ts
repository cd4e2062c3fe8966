import * as z from "zod";
import type { DateRange } from "../../domain/shared/date-range.ts";
import { decodeChunk, decodeColumns, encodeChunk } from "../../domain/timeseries/chunk/codec.ts";
import { columnsAsOf, isUnchangedAfter } from "../../domain/timeseries/chunk/columns-as-of.ts";
import { type MergeResult, mergeChunk } from "../../domain/timeseries/chunk/merge-chunk.ts";
import type { BatchReceipt, Sample } from "../../domain/timeseries/chunk/sample.ts";
import type { TimeseriesResource } from "../../domain/timeseries/resource.ts";
import { timeseriesResources } from "../../domain/timeseries/resources.ts";
import { retryConditionFailed } from "../condition-failed.ts";
import { InsertBatcher } from "../insert-batcher.ts";
import type { Key } from "../item.ts";
import type { Table } from "../table.ts";
import type { TeamScope } from "../team-scope.ts";
import type { UserCipher, UserCiphers } from "../user-encryption.ts";
import { bucketLabel, chunkAssociatedData, chunkKey, chunkPartition, type SampleStream } from "./chunk-key.ts";
import { type ChunkSlice, sliceChunk } from "./chunk-slice.ts";
import { ChunkVersionStore } from "./chunk-versions.ts";

/** Options of a merge. */
export interface MergeOptions {
  /** Skips the read of a bucket that is probably empty (history). The write condition decides. */
  readonly expectNew: boolean;
  /** Whether no batch received earlier can still arrive. Evaluated only where the answer saves a write. */
  readonly hasNoOlderPending: () => Promise<boolean>;
}

/** Options of a read. */
export interface ChunkQuery {
  readonly range: DateRange;
  /** First sort key (inclusive, because a page may end inside a chunk); by default the first of the range. */
  readonly after?: string | undefined;
  /** Whether the read is strongly consistent, at twice the price. */
  readonly isConsistent?: boolean;
  /** Whether the caller consumes the whole range. Pages then have the maximum size. */
  readonly readsWholeRange?: boolean;
  /** Restricts the read to one source. */
  readonly source?: Pick<SampleStream, "provider" | "sourceType">;
  /** Returns the state as of this instant, epoch ms; by default the current state. */
  readonly asOfMs?: number | undefined;
}

const chunkItem = z.object({ pk: z.string(), sk: z.string(), b: z.instanceof(Uint8Array), v: z.number().int() });
type ChunkItem = z.output<typeof chunkItem>;

/** Maximum bytes of a chunk. A DynamoDB item has at most 400 KB with its keys. */
const MAX_CHUNK_BYTES = 390_000;

/** The samples of one time bucket exceed the maximum size of a chunk. */
export class ChunkFull extends Error {
  override readonly name = "ChunkFull";
}

/** Attempts of a merge that conflicts with other writers of the chunk. */
const MERGE_ATTEMPTS = 20;
/** Chunks in the first page of a read: a day of half hours and a margin, or a page at the densest usual rate. */
const FIRST_PAGE_CHUNKS = 64;
/** A read that needs more pages covers sparse chunks, so each page is this many times larger than the previous one. */
const PAGE_GROWTH_FACTOR = 8;

/**
 * Stores timeseries in time-bucketed chunks (docs/architecture.md, the life of a sample), encrypted under the keys of
 * users.
 */
export class ChunkStore {
  readonly #table: Table;
  readonly #seals: UserCiphers;
  readonly #versions: ChunkVersionStore;
  readonly #inserts: InsertBatcher;

  /** @param keptMs retention of replaced values; by default none. */
  constructor(table: Table, seals: UserCiphers, keptMs = 0) {
    this.#table = table;
    this.#seals = seals;
    this.#versions = new ChunkVersionStore(table, keptMs);
    this.#inserts = new InsertBatcher(table);
  }

  /**
   * Merges samples of one bucket into their chunk. Reads, merges and writes under a version condition; after a conflict
   * it merges again, so no sample of any writer is lost. Also returns the growth of the chunk in bytes.
   * @throws ChunkFull if the samples do not fit in the chunk.
   */
  async merge(
    scope: TeamScope,
    stream: SampleStream,
    samples: readonly Sample[],
    receipt: BatchReceipt,
    { expectNew, hasNoOlderPending }: MergeOptions,
  ): Promise<MergeResult & { grewBytes: number }> {
    const first = samples[0];
    if (!first) throw new Error("nothing to merge");
    const key = chunkKey(scope, stream, first.start);
    const seal = await this.#seals.forUser(scope, stream.userId);
    return retryConditionFailed(async (attempt) => {
      const stored = attempt === 1 && expectNew ? undefined : await this.#table.get(key, chunkItem);
      const merged = mergeChunk(stored && decodeChunk(decryptItem(seal, stored)), samples, receipt);
      const isWritten = merged.changed && !(isRefresh(merged) && (await hasNoOlderPending()));
      await this.#versions.record(seal, key, isWritten ? merged : { ...merged, displaced: [] }, receipt);
      if (!isWritten) return { ...merged, changed: false, grewBytes: 0 };
      const bytes = seal.encrypt(encodeChunk(merged.chunk), chunkAssociatedData(key));
      if (bytes.length > MAX_CHUNK_BYTES) throw new ChunkFull(`${bytes.length} bytes`);
      await this.#replace(key, bytes, stored?.v, expectNew);
      return { ...merged, grewBytes: bytes.length - (stored?.b.length ?? 0) };
    }, MERGE_ATTEMPTS);
  }

  /** Writes a chunk over the version that was read, or inserts a new one. Historical chunks are inserted in batches. */
  #replace(key: Key, bytes: Uint8Array, version: number | undefined, isHistory: boolean): Promise<void> {
    const item = { ...key, b: bytes, v: (version ?? 0) + 1 };
    if (version === undefined) return isHistory ? this.#inserts.insert(item) : this.#inserts.insertSingle(item);
    return this.#table.put(item, { ConditionExpression: "v = :v", ExpressionAttributeValues: { ":v": version } });
  }

  /** Yields the chunks of all sources in order of time, each with its samples within the range. */
  async *read(
    scope: TeamScope,
    userId: string,
    resource: TimeseriesResource,
    { range, after, isConsistent = false, readsWholeRange = false, source, asOfMs }: ChunkQuery,
  ): AsyncGenerator<ChunkSlice> {
    const input = {
      KeyConditionExpression: "pk = :pk AND sk BETWEEN :from AND :to",
      ExpressionAttributeValues: {
        ":pk": chunkPartition(scope, userId, resource),
        ":from": after ?? bucketLabel(range.fromMs, resource),
        ":to": `${bucketLabel(range.toMs, resource)}~`,
      },
      ConsistentRead: isConsistent,
    };
    let start: Record<string, unknown> | undefined;
    for (let Limit = FIRST_PAGE_CHUNKS; ; Limit *= PAGE_GROWTH_FACTOR) {
      const page = await this.#table.query(
        { ...input, ...(readsWholeRange ? {} : { Limit }), ...(start ? { ExclusiveStartKey: start } : {}) },
        chunkItem,
      );
      const items = page.items.filter((item) => isFromSource(item, source));
      if (items.length > 0) yield* this.#slicesOf(await this.#seals.forUser(scope, userId), items, range, asOfMs);
      start = page.lastKey;
      if (!start) return;
    }
  }

  /**
   * Yields the current chunks, or those as of an instant. Versions are read only if a chunk has later receipts, once
   * for each page.
   */
  async *#slicesOf(
    seal: UserCipher,
    items: readonly ChunkItem[],
    range: DateRange,
    asOfMs: number | undefined,
  ): AsyncGenerator<ChunkSlice> {
    if (asOfMs === undefined) {
      for (const item of items) yield sliceChunk(item.sk, decodeColumns(decryptItem(seal, item)), range);
      return;
    }
    const stored = items.map((item) => ({ ...item, columns: decodeColumns(decryptItem(seal, item)) }));
    const later = stored.filter(({ columns }) => !isUnchangedAfter(columns, asOfMs));
    const [first, last] = [later[0], later.at(-1)];
    const versions = first && last ? await this.#versions.list(seal, first.pk, first.sk, last.sk) : undefined;
    for (const { sk, columns } of stored)
      yield sliceChunk(sk, columnsAsOf(columns, versions?.get(sk) ?? [], asOfMs), range);
  }

  /** Returns the samples of the chunks that contain these instants (epoch ms). */
  async getSamplesAround(scope: TeamScope, stream: SampleStream, startsMs: readonly number[]): Promise<Sample[]> {
    const keys = new Map(startsMs.map((startMs) => chunkKey(scope, stream, startMs)).map((key) => [key.sk, key]));
    const found = await this.#table.getMany([...keys.values()], chunkItem);
    if (found.length === 0) return [];
    const seal = await this.#seals.forUser(scope, stream.userId);
    return found.flatMap((item) => decodeChunk(decryptItem(seal, item)).samples.filter(({ isDeleted }) => !isDeleted));
  }

  /** Deletes every chunk of a user. @returns the number of deleted chunks. */
  async eraseUser(scope: TeamScope, userId: string): Promise<number> {
    let erased = 0;
    for (const resource of timeseriesResources) {
      erased += await this.#table.deletePartition(chunkPartition(scope, userId, resource));
    }
    return erased;
  }
}

const decryptItem = (seal: UserCipher, item: ChunkItem): Uint8Array => seal.decrypt(item.b, chunkAssociatedData(item));

/** Whether a merge only records that stored values arrived again. */
function isRefresh({ created, updated }: MergeResult): boolean {
  return created.length === 0 && updated.length === 0;
}

function isFromSource({ sk }: ChunkItem, source: ChunkQuery["source"]): boolean {
  return source === undefined || sk.endsWith(`#${source.provider}#${source.sourceType}`);
}
