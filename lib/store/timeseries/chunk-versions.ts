import * as z from "zod";
import type { ChunkColumns } from "../../domain/timeseries/chunk/chunk-columns.ts";
import { decodeColumns, encodeChunk } from "../../domain/timeseries/chunk/codec.ts";
import { findMissingEntries } from "../../domain/timeseries/chunk/columns-as-of.ts";
import type { MergeResult } from "../../domain/timeseries/chunk/merge-chunk.ts";
import { buildChunk, latestReceipt, type SampleWithRun } from "../../domain/timeseries/chunk/runs.ts";
import type { BatchReceipt } from "../../domain/timeseries/chunk/sample.ts";
import type { Key } from "../item.ts";
import type { Table } from "../table.ts";
import type { UserCipher } from "../user-encryption.ts";
import { versionExpiry } from "../version-expiry.ts";
import { chunkAssociatedData, chunkSource } from "./chunk-key.ts";

/**
 * Versions of chunks before a merge, for reads as of an earlier instant. They are stored in the partition of the chunks
 * under a prefix that no read of chunks covers. A version belongs to one merge: values that it replaced, or values that
 * arrived too late. All of them were received, whatever the outcome of the merge, so versions are written before the
 * chunk. Writing a version again is idempotent.
 */
const VERSION_PREFIX = "v#";
/** Sorts after every continuation of a sort key. */
const RANGE_END = "~";

const versionItem = z.object({ pk: z.string(), sk: z.string(), b: z.instanceof(Uint8Array) });
type VersionItem = z.output<typeof versionItem>;

/** Stores the versions of chunks. */
export class ChunkVersionStore {
  readonly #table: Table;
  readonly #keptMs: number;

  /** @param keptMs retention of versions; 0 stores none. */
  constructor(table: Table, keptMs: number) {
    this.#table = table;
    this.#keptMs = keptMs;
  }

  /**
   * Stores the values that the chunk loses in a merge. A batch that is consumed again after its values were replaced
   * brings values that a version already has, so only late values require reading the versions.
   */
  async record(
    seal: UserCipher,
    key: Key,
    { displaced, late, chunk }: MergeResult,
    receipt: BatchReceipt,
  ): Promise<void> {
    if (this.#keptMs === 0) return;
    if (displaced.length > 0)
      await this.#put(seal, versionKey(key, receipt, "replaced"), displaced, receipt.receivedAt);
    if (late.length === 0) return;
    const own = versionKey(key, receipt, "late").sk;
    const stored = await this.#between(key.pk, key.sk, key.sk);
    const others = stored.filter(({ sk }) => sk !== own && chunkOf(sk) === key.sk);
    const unknown = findMissingEntries(
      late,
      others.map((item) => decodeColumns(decryptItem(seal, item))),
    );
    const newest = chunk.runs.reduce((most, run) => Math.max(most, latestReceipt(run).receivedAt), receipt.receivedAt);
    if (unknown.length > 0) await this.#put(seal, versionKey(key, receipt, "late"), unknown, newest);
  }

  /** Returns the versions of the chunks between two sort keys (both inclusive), by the sort key of the chunk. */
  async list(seal: UserCipher, pk: string, first: string, last: string): Promise<Map<string, ChunkColumns[]>> {
    const found = Map.groupBy(await this.#between(pk, first, last), ({ sk }) => chunkOf(sk));
    return new Map([...found].map(([sk, items]) => [sk, items.map((item) => decodeColumns(decryptItem(seal, item)))]));
  }

  #put(seal: UserCipher, at: Key, entries: readonly SampleWithRun[], untilMs: number): Promise<void> {
    const b = seal.encrypt(encodeChunk(buildChunk(entries)), chunkAssociatedData(at));
    return this.#table.put({ ...at, b, expires_at: versionExpiry(untilMs, this.#keptMs) });
  }

  /** Versions of other recorders of the last source may be among the result, because recorders sort among times. */
  #between(pk: string, first: string, last: string): Promise<VersionItem[]> {
    const query = {
      KeyConditionExpression: "pk = :pk AND sk BETWEEN :first AND :last",
      ExpressionAttributeValues: {
        ":pk": pk,
        ":first": `${VERSION_PREFIX}${first}#`,
        ":last": `${VERSION_PREFIX}${chunkSource(last)}#${RANGE_END}`,
      },
    };
    return Array.fromAsync(this.#table.queryAll(query, versionItem));
  }
}

const decryptItem = (seal: UserCipher, item: VersionItem): Uint8Array =>
  seal.decrypt(item.b, chunkAssociatedData(item));

/** Kind of version: values that a batch replaced, or values that arrived too late. */
type Kind = "replaced" | "late";

const versionKey = ({ pk, sk }: Key, { receivedAt, batchId }: BatchReceipt, kind: Kind): Key => ({
  pk,
  sk: `${VERSION_PREFIX}${sk}#${receivedAt}#${batchId}#${kind}`,
});

/** Returns the sort key of a version's chunk, without the three parts that {@link versionKey} adds. */
const chunkOf = (sk: string) => sk.split("#").slice(1, -3).join("#");
