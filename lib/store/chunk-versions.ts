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
 * What chunks knew before something was received that took its place, for reads as of an earlier instant: beside the
 * chunks, in their partition, where no read of chunks meets it. A version is one merge's: values it replaced, and values
 * it brought too late. All of them were received, whatever becomes of the merge; so they are written before the chunk, and
 * writing them again changes nothing.
 */
const FIRST = "v#";
/** Sorts after everything that a sort key goes on with. */
const LAST = "~";

const versionItem = z.object({ pk: z.string(), sk: z.string(), b: z.instanceof(Uint8Array) });
type VersionItem = z.output<typeof versionItem>;

/** The versions of chunks. */
export class ChunkVersions {
  readonly #table: Table;
  readonly #keptMs: number;

  /** @param keptMs for how long answers are given as of an earlier instant; 0 keeps nothing. */
  constructor(table: Table, keptMs: number) {
    this.#table = table;
    this.#keptMs = keptMs;
  }

  /**
   * Keeps what the chunk will not tell any more once a merge is written. A batch that comes again after it was replaced
   * brings what a version has already; only such a late one asks for versions.
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

  /** The versions of the chunks between two sort keys (both included), by the sort key of their chunk. */
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

/** Whether a version has what a batch replaced, or what it brought too late. */
type Kind = "replaced" | "late";

const versionKey = ({ pk, sk }: Key, { receivedAt, batchId }: Receipt, kind: Kind): Key => ({
  pk,
  sk: `${FIRST}${sk}#${receivedAt}#${batchId}#${kind}`,
});

/** The sort key of the chunk (bucket, provider, source type) that a version is of. */
const chunkOf = (sk: string) => sk.split("#").slice(1, 4).join("#");
