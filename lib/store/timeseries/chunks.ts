import type { DateRange } from "../../domain/shared/date-range.ts";
import { decodeChunk, decodeColumns } from "../../domain/timeseries/chunk/codec.ts";
import { columnsAsOf, isUnchangedAfter } from "../../domain/timeseries/chunk/columns-as-of.ts";
import { type BatchReceipt, type Sample, sampleKey } from "../../domain/timeseries/chunk/sample.ts";
import type { TimeseriesResource } from "../../domain/timeseries/resource.ts";
import { timeseriesResources } from "../../domain/timeseries/resources.ts";
import type { Table } from "../table.ts";
import type { TeamScope } from "../team-scope.ts";
import type { UserCipher, UserCiphers } from "../user-encryption.ts";
import { type ChunkItem, chunkItem, decryptChunk, decryptRecorder, isLegacyChunk } from "./chunk-item.ts";
import { bucketLabel, chunkKey, chunkPartition, chunkSource, type SampleStream, withoutRecorder } from "./chunk-key.ts";
import { ChunkMerger, type MergedSamples, type MergeOptions } from "./chunk-merger.ts";
import { type ChunkSlice, sliceChunk } from "./chunk-slice.ts";
import { ChunkVersionStore } from "./chunk-versions.ts";

/** Options of a read. */
export interface ChunkQuery {
  readonly range: DateRange;
  /** First sort key (inclusive, because a page may end inside a chunk); by default the first of the range. */
  readonly after?: string | undefined;
  /** Whether the read is strongly consistent, at twice the price. */
  readonly isConsistent?: boolean;
  /** Whether the caller consumes the whole range. Pages then have the maximum size. */
  readonly readsWholeRange?: boolean;
  /** Restricts the read to one source, with all of its recorders. */
  readonly source?: Pick<SampleStream, "provider" | "sourceType">;
  /** Whether to return tombstones of deleted samples; not together with `asOfMs`. */
  readonly includesDeleted?: boolean;
  /** Returns the state as of this instant, epoch ms; by default the current state. */
  readonly asOfMs?: number | undefined;
}

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
  readonly #merger: ChunkMerger;

  /** @param keptMs retention of replaced values; by default none. */
  constructor(table: Table, seals: UserCiphers, keptMs = 0) {
    this.#table = table;
    this.#seals = seals;
    this.#versions = new ChunkVersionStore(table, keptMs);
    this.#merger = new ChunkMerger(table, this.#versions);
  }

  /**
   * Merges samples of one bucket into their chunk. No sample of any concurrent writer is lost.
   * @throws ChunkFull if the samples do not fit in the chunk.
   */
  async merge(
    scope: TeamScope,
    stream: SampleStream,
    samples: readonly Sample[],
    receipt: BatchReceipt,
    options: MergeOptions,
  ): Promise<MergedSamples> {
    const seal = await this.#seals.forUser(scope, stream.userId);
    return this.#merger.merge(scope, seal, stream, samples, receipt, options);
  }

  /** Yields the chunks of all sources in order of time, each with its samples within the range. */
  async *read(
    scope: TeamScope,
    userId: string,
    resource: TimeseriesResource,
    {
      range,
      after,
      isConsistent = false,
      readsWholeRange = false,
      source,
      asOfMs,
      includesDeleted = false,
    }: ChunkQuery,
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
      if (items.length > 0)
        yield* this.#slicesOf(await this.#seals.forUser(scope, userId), items, { range, asOfMs, includesDeleted });
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
    { range, asOfMs, includesDeleted = false }: Pick<ChunkQuery, "range" | "asOfMs" | "includesDeleted">,
  ): AsyncGenerator<ChunkSlice> {
    if (asOfMs === undefined) {
      for (const item of items) {
        const columns = decodeColumns(decryptChunk(seal, item));
        yield sliceChunk(item.sk, decryptRecorder(seal, item), columns, range, includesDeleted);
      }
      return;
    }
    const stored = items.map((item) => ({ ...item, columns: decodeColumns(decryptChunk(seal, item)) }));
    const later = stored.filter(({ columns }) => !isUnchangedAfter(columns, asOfMs));
    const [first, last] = [later[0], later.at(-1)];
    const versions = first && last ? await this.#versions.list(seal, first.pk, first.sk, last.sk) : undefined;
    for (const { columns, ...item } of stored) {
      const known = columnsAsOf(columns, versions?.get(item.sk) ?? [], asOfMs);
      yield sliceChunk(item.sk, decryptRecorder(seal, item), known, range);
    }
  }

  /**
   * Returns the samples of a stream in the buckets that contain these instants (epoch ms). A sample that only a legacy
   * chunk holds counts for each recorder.
   */
  async getSamplesAround(scope: TeamScope, stream: SampleStream, startsMs: readonly number[]): Promise<Sample[]> {
    const keysOf = (one: SampleStream) => startsMs.map((startMs) => chunkKey(scope, one, startMs));
    const own = new Set(keysOf(stream).map(({ sk }) => sk));
    const keys = [...keysOf(stream), ...keysOf(withoutRecorder(stream))];
    const found = await this.#table.getMany([...new Map(keys.map((key) => [key.sk, key])).values()], chunkItem);
    if (found.length === 0) return [];
    const seal = await this.#seals.forUser(scope, stream.userId);
    const legacy = found.filter((item) => !own.has(item.sk) && isLegacyChunk(item));
    // Own samples come last, so that they replace samples of legacy chunks, even by a deletion.
    const chunks = [...legacy, ...found.filter(({ sk }) => own.has(sk))];
    const samples = chunks.flatMap((item) => decodeChunk(decryptChunk(seal, item)).samples);
    const byKey = new Map(samples.map((sample) => [sampleKey(sample), sample]));
    return [...byKey.values()].filter(({ isDeleted }) => !isDeleted);
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

function isFromSource({ sk }: ChunkItem, source: ChunkQuery["source"]): boolean {
  return source === undefined || chunkSource(sk).endsWith(`#${source.provider}#${source.sourceType}`);
}
