import { createHash } from "node:crypto";
import { gunzipSync, gzipSync } from "node:zlib";
import * as z from "zod";
import { type DataStage, dataStages } from "../../domain/ingest/batch.ts";
import { retryConditionFailed } from "../condition-failed.ts";
import { NOT_EXISTS, type Table } from "../table.ts";
import type { TeamScope } from "../team-scope.ts";
import type { UserCiphers } from "../user-encryption.ts";
import {
  type StreamKey,
  streamAssociatedData,
  streamItemKey,
  streamObjectKey,
  streamObjectPrefix,
  streamPartition,
} from "./stream-keys.ts";

/** An incoming stream. */
export interface IncomingStream extends StreamKey {
  readonly stage: DataStage;
  /** JSON. */
  readonly text: string;
}

/** Receipt of an incoming stream. */
interface Receipt {
  /** Receipt ids sort by time. */
  readonly receiptId: string;
  /** Whether no batch of the user received earlier can still arrive. */
  readonly hasNoOlderPending: () => Promise<boolean>;
}

const streamRecord = z.object({
  /** Key of the current object. An object never changes. */
  object_key: z.string(),
  /** Key of the previous object. */
  replaced_object_key: z.string().nullable(),
  sha256: z.string(),
  /** Stage of the batch that brought the current content. */
  stage: z.enum(dataStages),
  /** Number of contents that this stream has had. */
  version: z.number().int(),
  /** Receipt of the current content, and whether it created or updated the stream. */
  receipt_id: z.string(),
  verb: z.enum(["created", "updated"]),
  /** Latest receipt with the current content. */
  latest_receipt_id: z.string(),
});
export type StreamRecord = z.output<typeof streamRecord>;

/** Storage of stream contents by object key. */
export interface ObjectStorage {
  put(key: string, content: Uint8Array): Promise<void>;
  get(key: string): Promise<Uint8Array>;
  delete(key: string): Promise<void>;
  deleteAll(prefix: string): Promise<void>;
}

/** Outcome of storing a stream, and the stored record. */
interface MergedStream {
  readonly outcome: "created" | "updated" | "unchanged";
  readonly record: StreamRecord;
  /** Size of the object that was written; 0 if the stored content stays. */
  readonly writtenBytes: number;
}

type Arrived = IncomingStream & Receipt & { readonly sha256: string };

const MERGE_ATTEMPTS = 20;

/**
 * Workout and sleep streams: contents as objects, encrypted under the keys of users, each named by an item. An object
 * exists before an item names it and until no item does, so every named object is readable after any interruption.
 */
export class StreamStore {
  readonly #table: Table;
  readonly #objects: ObjectStorage;
  readonly #seals: UserCiphers;

  constructor(table: Table, objects: ObjectStorage, seals: UserCiphers) {
    this.#table = table;
    this.#objects = objects;
    this.#seals = seals;
  }

  get(scope: TeamScope, key: StreamKey): Promise<StreamRecord | undefined> {
    return this.#table.get(streamItemKey(scope, key), streamRecord);
  }

  /**
   * Stores a stream unless a later one is stored. Idempotent: the receipt of a stored stream returns the same outcome
   * again.
   */
  merge(scope: TeamScope, incoming: IncomingStream, receipt: Receipt): Promise<MergedStream> {
    const arrived = { ...incoming, ...receipt, sha256: createHash("sha256").update(incoming.text).digest("hex") };
    return retryConditionFailed(async () => {
      const stored = await this.get(scope, incoming);
      const outcome = classifyStream(stored, arrived);
      if (stored && (await this.#isSettled(scope, stored, arrived)))
        return { outcome, record: stored, writtenBytes: 0 };
      return { outcome, ...(await this.#write(scope, arrived, stored)) };
    }, MERGE_ATTEMPTS);
  }

  /** Returns the current content, JSON; undefined without a stream. */
  async read(scope: TeamScope, key: StreamKey): Promise<string | undefined> {
    let record = await this.get(scope, key);
    while (record) {
      try {
        const sealed = await this.#objects.get(record.object_key);
        const seal = await this.#seals.forUser(scope, key.userId);
        return gunzipSync(seal.decrypt(sealed, streamAssociatedData(record.object_key))).toString("utf8");
      } catch (error) {
        // The object may have been replaced or erased after its item was read.
        const present = await this.get(scope, key);
        if (present?.object_key === record.object_key) throw error;
        record = present;
      }
    }
    return undefined;
  }

  /** Deletes every stream of a user, including objects that no item names. @returns the number of deleted items. */
  async eraseUser(scope: TeamScope, userId: string): Promise<number> {
    await this.#objects.deleteAll(streamObjectPrefix(scope, userId));
    return this.#table.deletePartition(streamPartition(scope, userId));
  }

  /** Whether the stored content stays and needs no update for the incoming stream. */
  async #isSettled(scope: TeamScope, stored: StreamRecord, arrived: Arrived): Promise<boolean> {
    const isApplied = stored.receipt_id === arrived.receiptId;
    if (!isApplied && arrived.receiptId >= stored.latest_receipt_id)
      return stored.sha256 === arrived.sha256 && arrived.hasNoOlderPending();
    // The object that an interrupted or overtaken write of this stream may have left.
    const left = isApplied ? stored.replaced_object_key : streamObjectKey(scope, arrived);
    if (left !== null) await this.#objects.delete(left);
    return true;
  }

  /** Writes the incoming stream, on condition that the item is unchanged since it was read. */
  async #write(scope: TeamScope, arrived: Arrived, stored: StreamRecord | undefined) {
    const isSame = stored?.sha256 === arrived.sha256;
    const content = isSame ? undefined : await this.#sealed(scope, arrived);
    if (content) await this.#objects.put(streamObjectKey(scope, arrived), content);
    const record = isSame ? { ...stored, latest_receipt_id: arrived.receiptId } : nextRecord(scope, stored, arrived);
    await this.#table.put({ ...streamItemKey(scope, arrived), ...record }, ifUnchanged(stored));
    if (stored && !isSame) await this.#objects.delete(stored.object_key);
    return { record, writtenBytes: content?.length ?? 0 };
  }

  async #sealed(scope: TeamScope, arrived: Arrived): Promise<Uint8Array> {
    const seal = await this.#seals.forUser(scope, arrived.userId);
    return seal.encrypt(gzipSync(arrived.text), streamAssociatedData(streamObjectKey(scope, arrived)));
  }
}

/** Classifies an incoming stream against the stored one. */
function classifyStream(stored: StreamRecord | undefined, { receiptId, sha256 }: Arrived): MergedStream["outcome"] {
  if (!stored) return "created";
  if (stored.receipt_id === receiptId) return stored.verb;
  return receiptId > stored.latest_receipt_id && sha256 !== stored.sha256 ? "updated" : "unchanged";
}

function nextRecord(scope: TeamScope, stored: StreamRecord | undefined, arrived: Arrived): StreamRecord {
  return {
    object_key: streamObjectKey(scope, arrived),
    replaced_object_key: stored?.object_key ?? null,
    sha256: arrived.sha256,
    stage: arrived.stage,
    version: (stored?.version ?? 0) + 1,
    receipt_id: arrived.receiptId,
    verb: stored ? "updated" : "created",
    latest_receipt_id: arrived.receiptId,
  };
}

const ifUnchanged = (stored: StreamRecord | undefined) =>
  stored
    ? {
        ConditionExpression: "latest_receipt_id = :latest",
        ExpressionAttributeValues: { ":latest": stored.latest_receipt_id },
      }
    : { ConditionExpression: NOT_EXISTS };
