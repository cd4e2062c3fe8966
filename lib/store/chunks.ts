import * as z from "zod";
import { columnsAsOf, isSettledAt } from "../domain/chunk/as-of.ts";
import { decodeChunk, decodeColumns, encodeChunk } from "../domain/chunk/codec.ts";
import { type MergeResult, mergeChunk } from "../domain/chunk/merge.ts";
import type { Receipt, Sample } from "../domain/chunk/sample.ts";
import type { DateRange } from "../domain/date-range.ts";
import type { TimeseriesResource } from "../domain/timeseries/resource.ts";
import { timeseriesResources } from "../domain/timeseries/resources.ts";
import { bucketName, chunkKey, chunkPartition, placeOf, type Stream } from "./chunk-key.ts";
import { type ChunkSlice, sliceOf } from "./chunk-slice.ts";
import { ChunkVersions } from "./chunk-versions.ts";
import { ConditionFailed } from "./condition-failed.ts";
import { Inserts } from "./inserts.ts";
import type { Key, Table } from "./table.ts";
import type { TeamScope } from "./team-scope.ts";
import type { UserSeal, UserSeals } from "./user-seals.ts";

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
  /** Whether all of the range will be taken: then pages are as long as the table gives them. */
  readonly isWhole?: boolean;
  /** By default all sources. */
  readonly source?: Pick<Stream, "provider" | "sourceType">;
  /** Only what was received until then, epoch ms; by default what stands. */
  readonly asOfMs?: number | undefined;
}

const chunkItem = z.object({ pk: z.string(), sk: z.string(), b: z.instanceof(Uint8Array), v: z.number().int() });
type ChunkItem = z.output<typeof chunkItem>;

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

/** Timeseries in time-bucketed chunks (docs/architecture.md, the life of a sample), sealed under the keys of users. */
export class ChunkStore {
  readonly #table: Table;
  readonly #seals: UserSeals;
  readonly #versions: ChunkVersions;
  readonly #inserts: Inserts;

  /** @param keptMs for how long what is replaced can still be asked for; by default not at all. */
  constructor(table: Table, seals: UserSeals, keptMs = 0) {
    this.#table = table;
    this.#seals = seals;
    this.#versions = new ChunkVersions(table, keptMs);
    this.#inserts = new Inserts(table);
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
    const seal = await this.#seals.of(scope, stream.userId);
    for (let attempt = 1; ; attempt++) {
      const stored = attempt === 1 && expectNew ? undefined : await this.#table.get(key, chunkItem);
      const merged = mergeChunk(stored && decodeChunk(opened(seal, stored)), samples, receipt);
      const isWritten = merged.changed && !(isRefresh(merged) && (await isLatest()));
      await this.#versions.keep(seal, key, isWritten ? merged : { ...merged, displaced: [] }, receipt);
      if (!isWritten) return { ...merged, changed: false, grewBytes: 0 };
      const bytes = seal.seal(encodeChunk(merged.chunk), placeOf(key));
      if (bytes.length > MOST_BYTES) throw new ChunkFull(`${bytes.length} bytes`);
      try {
        await this.#replace(key, bytes, stored?.v, expectNew);
        return { ...merged, grewBytes: bytes.length - (stored?.b.length ?? 0) };
      } catch (error) {
        if (!(error instanceof ConditionFailed) || attempt === MERGE_ATTEMPTS) throw error;
      }
    }
  }

  /** Writes a chunk over the version that was read, or as the first of its key: that of history together with others. */
  #replace(key: Key, bytes: Uint8Array, version: number | undefined, isHistory: boolean): Promise<void> {
    const item = { ...key, b: bytes, v: (version ?? 0) + 1 };
    if (version === undefined) return isHistory ? this.#inserts.insert(item) : this.#inserts.insertAlone(item);
    return this.#table.put(item, { ConditionExpression: "v = :v", ExpressionAttributeValues: { ":v": version } });
  }

  /** Chunks of all sources in order of time, each with the samples that lie in the range. */
  async *read(
    scope: TeamScope,
    userId: string,
    resource: TimeseriesResource,
    { range, after, isConsistent = false, isWhole = false, source, asOfMs }: ChunkQuery,
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
        { ...input, ...(isWhole ? {} : { Limit }), ...(start ? { ExclusiveStartKey: start } : {}) },
        chunkItem,
      );
      const items = page.items.filter((item) => isOf(item, source));
      if (items.length > 0) yield* this.#slicesOf(await this.#seals.of(scope, userId), items, range, asOfMs);
      start = page.lastKey;
      if (!start) return;
    }
  }

  /** Chunks as they stand, or as they were; versions are asked for only where something was received later, and then once a page. */
  async *#slicesOf(
    seal: UserSeal,
    items: readonly ChunkItem[],
    range: DateRange,
    asOfMs: number | undefined,
  ): AsyncGenerator<ChunkSlice> {
    if (asOfMs === undefined) {
      for (const item of items) yield sliceOf(item.sk, decodeColumns(opened(seal, item)), range);
      return;
    }
    const stored = items.map((item) => ({ ...item, columns: decodeColumns(opened(seal, item)) }));
    const later = stored.filter(({ columns }) => !isSettledAt(columns, asOfMs));
    const [first, last] = [later[0], later.at(-1)];
    const versions = first && last ? await this.#versions.of(seal, first.pk, first.sk, last.sk) : undefined;
    for (const { sk, columns } of stored)
      yield sliceOf(sk, columnsAsOf(columns, versions?.get(sk) ?? [], asOfMs), range);
  }

  /** What a stream has at these instants (epoch ms), and around them. */
  async samplesAround(scope: TeamScope, stream: Stream, startsMs: readonly number[]): Promise<Sample[]> {
    const keys = new Map(startsMs.map((startMs) => chunkKey(scope, stream, startMs)).map((key) => [key.sk, key]));
    const found = await this.#table.getMany([...keys.values()], chunkItem);
    if (found.length === 0) return [];
    const seal = await this.#seals.of(scope, stream.userId);
    return found.flatMap((item) => decodeChunk(opened(seal, item)).samples.filter(({ isDeleted }) => !isDeleted));
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

const opened = (seal: UserSeal, item: ChunkItem): Uint8Array => seal.open(item.b, placeOf(item));

/** Whether a merge does no more than note that stored values came again. */
function isRefresh({ created, updated }: MergeResult): boolean {
  return created.length === 0 && updated.length === 0;
}

function isOf({ sk }: ChunkItem, source: ChunkQuery["source"]): boolean {
  return source === undefined || sk.endsWith(`#${source.provider}#${source.sourceType}`);
}
