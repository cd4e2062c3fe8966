import { decodeChunk } from "../../domain/timeseries/chunk/codec.ts";
import { type MergeResult, mergeChunk } from "../../domain/timeseries/chunk/merge-chunk.ts";
import { type BatchReceipt, type Chunk, type Sample, sampleKey } from "../../domain/timeseries/chunk/sample.ts";
import { ConditionFailed, retryConditionFailed } from "../condition-failed.ts";
import { InsertBatcher } from "../insert-batcher.ts";
import type { Key } from "../item.ts";
import { ReadCollector } from "../read-collector.ts";
import { NO_RECORDER, type Recorder } from "../recorder-key.ts";
import type { Table } from "../table.ts";
import type { TeamScope } from "../team-scope.ts";
import type { UserCipher } from "../user-encryption.ts";
import {
  type ChunkItem,
  chunkBytes,
  chunkItem,
  decryptChunk,
  encryptChunk,
  isLegacyChunk,
  type NewChunkItem,
} from "./chunk-item.ts";
import { chunkKey, type SampleStream, withoutRecorder } from "./chunk-key.ts";
import type { ChunkVersionStore } from "./chunk-versions.ts";

/** Options of a merge. */
export interface MergeOptions {
  /** Skips the read of a bucket that is probably empty (history). The write condition decides. */
  readonly expectNew: boolean;
  /** Whether no batch received earlier can still arrive. Evaluated only where the answer saves a write. */
  readonly hasNoOlderPending: () => Promise<boolean>;
}

/** The effect of a batch on the chunks of one bucket. Each sample is in one of the first four lists. */
export interface MergedSamples
  extends Pick<MergeResult, "created" | "updated" | "unchanged" | "superseded" | "replaced" | "changed"> {
  /** Updated samples with unknown previous content, because an earlier merge of the batch replaced it. */
  readonly updatedEarlier: Sample[];
  /** Growth of the chunks in bytes. */
  readonly grewBytes: number;
}

/** Maximum bytes of a chunk's samples. A DynamoDB item has at most 400 KB with its keys and recorder. */
const MAX_CHUNK_BYTES = 390_000;

/** The samples of one time bucket exceed the maximum size of a chunk. */
export class ChunkFull extends Error {
  override readonly name = "ChunkFull";
}

/** Attempts of a merge that conflicts with other writers of the chunk. */
const MERGE_ATTEMPTS = 20;

/** Samples to merge into one chunk, and the chunk as it is stored. */
interface ChunkPart {
  readonly key: Key;
  readonly recorder: Recorder;
  readonly samples: readonly Sample[];
  readonly stored: StoredChunk | undefined;
}

interface StoredChunk extends Chunk {
  readonly item: ChunkItem;
}

/** Merges samples into their chunks. */
export class ChunkMerger {
  readonly #table: Table;
  readonly #versions: ChunkVersionStore;
  readonly #inserts: InsertBatcher;
  readonly #reads: ReadCollector;

  constructor(table: Table, versions: ChunkVersionStore) {
    this.#table = table;
    this.#versions = versions;
    this.#inserts = new InsertBatcher(table);
    this.#reads = new ReadCollector(() => table.documents);
  }

  /**
   * Merges samples of one bucket. Reads, merges and writes under a version condition; after a conflict it merges again,
   * so no sample of any writer is lost.
   * @throws ChunkFull if the samples do not fit in a chunk.
   */
  async merge(
    scope: TeamScope,
    seal: UserCipher,
    stream: SampleStream,
    samples: readonly Sample[],
    receipt: BatchReceipt,
    options: MergeOptions,
  ): Promise<MergedSamples> {
    const first = samples[0];
    if (!first) throw new Error("nothing to merge");
    const keyOf = (one: SampleStream) => chunkKey(scope, one, first.start);
    const place = { own: keyOf(stream), recorderless: keyOf(withoutRecorder(stream)), recorder: stream.recorder };
    const merged: MergedSamples[] = [];
    const done = new Set<Sample>();
    await retryConditionFailed(async (attempt) => {
      const open = samples.filter((sample) => !done.has(sample));
      for (const part of await this.#assign(seal, place, open, attempt === 1 && options.expectNew)) {
        merged.push(await this.#mergePart(seal, part, receipt, options));
        // A part that is written keeps its outcome when a later part conflicts.
        for (const sample of part.samples) done.add(sample);
      }
    }, MERGE_ATTEMPTS);
    return joinResults(merged);
  }

  /**
   * Reads the chunks of a bucket and assigns each sample to one. Samples without recorder have one chunk. Samples of a
   * recorder have their own, except those that only a legacy chunk holds: they stay the same samples there
   * (docs/decisions/0013).
   */
  async #assign(
    seal: UserCipher,
    { own: key, recorderless, recorder }: { own: Key; recorderless: Key; recorder: Recorder },
    samples: readonly Sample[],
    isProbablyNew: boolean,
  ): Promise<ChunkPart[]> {
    const open = (item: ChunkItem | undefined) => item && { ...decodeChunk(decryptChunk(seal, item)), item };
    if (key.sk === recorderless.sk) {
      const stored = isProbablyNew ? undefined : open(await this.#get(key));
      return [{ key, recorder, samples, stored }];
    }
    const [mine, shared] = await Promise.all([isProbablyNew ? undefined : this.#get(key), this.#get(recorderless)]);
    const isLegacy = shared !== undefined && isLegacyChunk(shared);
    const stored = open(isProbablyNew && isLegacy ? await this.#get(key) : mine);
    if (!isLegacy) return [{ key, recorder, samples, stored }];
    const legacy = open(shared);
    const [inOwn, inLegacy] = [stored, legacy].map((chunk) => new Set(chunk?.samples.map(sampleKey)));
    const isOld = (sample: Sample) => inLegacy?.has(sampleKey(sample)) === true && !inOwn?.has(sampleKey(sample));
    const parts: ChunkPart[] = [
      { key, recorder, samples: samples.filter((sample) => !isOld(sample)), stored },
      { key: recorderless, recorder: NO_RECORDER, samples: samples.filter(isOld), stored: legacy },
    ];
    return parts.filter((part) => part.samples.length > 0);
  }

  async #mergePart(
    seal: UserCipher,
    { key, recorder, samples, stored }: ChunkPart,
    receipt: BatchReceipt,
    { expectNew, hasNoOlderPending }: MergeOptions,
  ): Promise<MergedSamples> {
    const merged = mergeChunk(stored, samples, receipt);
    const updatedEarlier = merged.replaced.length === 0 ? merged.updated : [];
    const isSettled = isRefresh(merged) && (await hasNoOlderPending()) && (await this.#isUnchanged(key, stored));
    const isWritten = merged.changed && !isSettled;
    await this.#versions.record(seal, key, isWritten ? merged : { ...merged, displaced: [] }, receipt);
    if (!isWritten) return { ...merged, updatedEarlier, changed: false, grewBytes: 0 };
    const item = encryptChunk(seal, key, merged.chunk, recorder, stored?.item);
    if (item.b.length > MAX_CHUNK_BYTES) throw new ChunkFull(`${item.b.length} bytes`);
    await this.#replace(item, stored?.item.v, expectNew);
    return { ...merged, updatedEarlier, grewBytes: chunkBytes(item) - (stored ? chunkBytes(stored.item) : 0) };
  }

  async #get(key: Key): Promise<ChunkItem | undefined> {
    const [item] = await this.#reads.read([this.#table.readItem(key, chunkItem)]);
    return item;
  }

  /**
   * Confirms that a chunk is as it was read. The check for older batches came later, and an older batch may have been
   * stored in between. @throws ConditionFailed if the chunk changed.
   */
  async #isUnchanged(key: Key, stored: StoredChunk | undefined): Promise<true> {
    const current = await this.#get(key);
    if (current?.v !== stored?.item.v) throw new ConditionFailed(new Map());
    return true;
  }

  /** Writes a chunk over the version that was read, or inserts a new one. Historical chunks are inserted in batches. */
  #replace(item: NewChunkItem, version: number | undefined, isHistory: boolean): Promise<void> {
    if (version === undefined) return isHistory ? this.#inserts.insert(item) : this.#inserts.insertSingle(item);
    return this.#table.put(item, { ConditionExpression: "v = :v", ExpressionAttributeValues: { ":v": version } });
  }
}

/** Whether a merge only records that stored values arrived again. */
function isRefresh({ created, updated }: MergeResult): boolean {
  return created.length === 0 && updated.length === 0;
}

function joinResults(parts: readonly MergedSamples[]): MergedSamples {
  return {
    created: parts.flatMap((part) => part.created),
    updated: parts.flatMap((part) => part.updated),
    unchanged: parts.flatMap((part) => part.unchanged),
    superseded: parts.flatMap((part) => part.superseded),
    replaced: parts.flatMap((part) => part.replaced),
    updatedEarlier: parts.flatMap((part) => part.updatedEarlier),
    changed: parts.some((part) => part.changed),
    grewBytes: parts.reduce((sum, part) => sum + part.grewBytes, 0),
  };
}
