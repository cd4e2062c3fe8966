import * as z from "zod";
import { unknownOf } from "../domain/chunk/as-of.ts";
import { decodeColumns, encodeChunk } from "../domain/chunk/codec.ts";
import type { ChunkColumns } from "../domain/chunk/columns.ts";
import type { MergeResult } from "../domain/chunk/merge.ts";
import { buildChunk, latestReceipt, type SampleOfRun } from "../domain/chunk/runs.ts";
import type { Receipt } from "../domain/chunk/sample.ts";
import { placeOf } from "./chunk-key.ts";
import type { Key, Table } from "./table.ts";
import type { UserSeal } from "./user-seals.ts";
import { versionExpiry } from "./version-expiry.ts";

/**
 * Versions of chunks before a merge, for reads as of an earlier instant. They are stored in the partition of the chunks
 * under a prefix that no read of chunks covers. A version belongs to one merge: values that it replaced, or values that
 * arrived too late. All of them were received, whatever the outcome of the merge, so versions are written before the
 * chunk. Writing a version again is idempotent.
 */
const FIRST = "v#";
/** Sorts after every continuation of a sort key. */
const LAST = "~";

const versionItem = z.object({ pk: z.string(), sk: z.string(), b: z.instanceof(Uint8Array) });
type VersionItem = z.output<typeof versionItem>;

/** Stores the versions of chunks. */
export class ChunkVersions {
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
  async keep(seal: UserSeal, key: Key, { displaced, late, chunk }: MergeResult, receipt: Receipt): Promise<void> {
    if (this.#keptMs === 0) return;
    if (displaced.length > 0)
      await this.#put(seal, versionKey(key, receipt, "replaced"), displaced, receipt.receivedAt);
    if (late.length === 0) return;
    const own = versionKey(key, receipt, "late").sk;
    const others = (await this.#between(key.pk, key.sk, key.sk)).filter(({ sk }) => sk !== own);
    const unknown = unknownOf(
      late,
      others.map((item) => decodeColumns(opened(seal, item))),
    );
    const newest = chunk.runs.reduce((most, run) => Math.max(most, latestReceipt(run).receivedAt), receipt.receivedAt);
    if (unknown.length > 0) await this.#put(seal, versionKey(key, receipt, "late"), unknown, newest);
  }

  /** Returns the versions of the chunks between two sort keys (both inclusive), by the sort key of the chunk. */
  async of(seal: UserSeal, pk: string, first: string, last: string): Promise<Map<string, ChunkColumns[]>> {
    const found = Map.groupBy(await this.#between(pk, first, last), ({ sk }) => chunkOf(sk));
    return new Map([...found].map(([sk, items]) => [sk, items.map((item) => decodeColumns(opened(seal, item)))]));
  }

  #put(seal: UserSeal, at: Key, entries: readonly SampleOfRun[], untilMs: number): Promise<void> {
    const b = seal.seal(encodeChunk(buildChunk(entries)), placeOf(at));
    return this.#table.put({ ...at, b, expires_at: versionExpiry(untilMs, this.#keptMs) });
  }

  #between(pk: string, first: string, last: string): Promise<VersionItem[]> {
    const query = {
      KeyConditionExpression: "pk = :pk AND sk BETWEEN :first AND :last",
      ExpressionAttributeValues: { ":pk": pk, ":first": `${FIRST}${first}#`, ":last": `${FIRST}${last}#${LAST}` },
    };
    return Array.fromAsync(this.#table.all(query, versionItem));
  }
}

const opened = (seal: UserSeal, item: VersionItem): Uint8Array => seal.open(item.b, placeOf(item));

/** Kind of version: values that a batch replaced, or values that arrived too late. */
type Kind = "replaced" | "late";

const versionKey = ({ pk, sk }: Key, { receivedAt, batchId }: Receipt, kind: Kind): Key => ({
  pk,
  sk: `${FIRST}${sk}#${receivedAt}#${batchId}#${kind}`,
});

/** Returns the sort key of a version's chunk (bucket, provider, source type). */
const chunkOf = (sk: string) => sk.split("#").slice(1, 4).join("#");
