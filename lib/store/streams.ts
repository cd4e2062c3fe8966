import { createHash } from "node:crypto";
import { gunzipSync, gzipSync } from "node:zlib";
import * as z from "zod";
import { type Stage, stages } from "../domain/batch.ts";
import { ConditionFailed } from "./condition-failed.ts";
import { itemKey, objectKey, objectPrefix, partition, placeOf, type StreamKey } from "./stream-keys.ts";
import { isNew, type Table } from "./table.ts";
import type { TeamScope } from "./team-scope.ts";
import type { UserSeals } from "./user-seals.ts";

/** An incoming stream. */
export interface IncomingStream extends StreamKey {
  readonly stage: Stage;
  /** JSON. */
  readonly text: string;
}

/** Receipt of an incoming stream. */
interface Receipt {
  /** Receipt ids sort by time. */
  readonly receiptId: string;
  /** Whether no batch of the user received earlier can still arrive. */
  readonly isLatest: () => Promise<boolean>;
}

const streamRecord = z.object({
  /** Key of the current object. An object never changes. */
  object_key: z.string(),
  /** Key of the previous object. */
  replaced_object_key: z.string().nullable(),
  sha256: z.string(),
  /** Stage of the batch that brought the current content. */
  stage: z.enum(stages),
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
export interface Objects {
  keep(key: string, content: Uint8Array): Promise<void>;
  load(key: string): Promise<Uint8Array>;
  drop(key: string): Promise<void>;
  dropAll(prefix: string): Promise<void>;
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
  readonly #objects: Objects;
  readonly #seals: UserSeals;

  constructor(table: Table, objects: Objects, seals: UserSeals) {
    this.#table = table;
    this.#objects = objects;
    this.#seals = seals;
  }

  get(scope: TeamScope, key: StreamKey): Promise<StreamRecord | undefined> {
    return this.#table.get(itemKey(scope, key), streamRecord);
  }

  /**
   * Stores a stream unless a later one is stored. Idempotent: the receipt of a stored stream returns the same outcome
   * again.
   */
  async merge(scope: TeamScope, incoming: IncomingStream, receipt: Receipt): Promise<MergedStream> {
    const arrived = { ...incoming, ...receipt, sha256: createHash("sha256").update(incoming.text).digest("hex") };
    for (let attempt = 1; ; attempt++) {
      const stored = await this.get(scope, incoming);
      const outcome = judge(stored, arrived);
      if (stored && (await this.#isSettled(scope, stored, arrived)))
        return { outcome, record: stored, writtenBytes: 0 };
      try {
        return { outcome, ...(await this.#write(scope, arrived, stored)) };
      } catch (error) {
        if (!(error instanceof ConditionFailed) || attempt === MERGE_ATTEMPTS) throw error;
      }
    }
  }

  /** Returns the current content, JSON; undefined without a stream. */
  async read(scope: TeamScope, key: StreamKey): Promise<string | undefined> {
    let record = await this.get(scope, key);
    while (record) {
      try {
        const sealed = await this.#objects.load(record.object_key);
        const seal = await this.#seals.of(scope, key.userId);
        return gunzipSync(seal.open(sealed, placeOf(record.object_key))).toString("utf8");
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
    await this.#objects.dropAll(objectPrefix(scope, userId));
    return this.#table.erasePartition(partition(scope, userId));
  }

  /** Whether the stored content stays and needs no update for the incoming stream. */
  async #isSettled(scope: TeamScope, stored: StreamRecord, arrived: Arrived): Promise<boolean> {
    const isTold = stored.receipt_id === arrived.receiptId;
    if (!isTold && arrived.receiptId >= stored.latest_receipt_id)
      return stored.sha256 === arrived.sha256 && arrived.isLatest();
    // The object that an interrupted or overtaken write of this stream may have left.
    const left = isTold ? stored.replaced_object_key : objectKey(scope, arrived);
    if (left !== null) await this.#objects.drop(left);
    return true;
  }

  /** Writes the incoming stream, on condition that the item is unchanged since it was read. */
  async #write(scope: TeamScope, arrived: Arrived, stored: StreamRecord | undefined) {
    const isSame = stored?.sha256 === arrived.sha256;
    const content = isSame ? undefined : await this.#sealed(scope, arrived);
    if (content) await this.#objects.keep(objectKey(scope, arrived), content);
    const record = isSame ? { ...stored, latest_receipt_id: arrived.receiptId } : next(scope, stored, arrived);
    await this.#table.put({ ...itemKey(scope, arrived), ...record }, overwriting(stored));
    if (stored && !isSame) await this.#objects.drop(stored.object_key);
    return { record, writtenBytes: content?.length ?? 0 };
  }

  async #sealed(scope: TeamScope, arrived: Arrived): Promise<Uint8Array> {
    const seal = await this.#seals.of(scope, arrived.userId);
    return seal.seal(gzipSync(arrived.text), placeOf(objectKey(scope, arrived)));
  }
}

/** Classifies an incoming stream against the stored one. */
function judge(stored: StreamRecord | undefined, { receiptId, sha256 }: Arrived): MergedStream["outcome"] {
  if (!stored) return "created";
  if (stored.receipt_id === receiptId) return stored.verb;
  return receiptId > stored.latest_receipt_id && sha256 !== stored.sha256 ? "updated" : "unchanged";
}

function next(scope: TeamScope, stored: StreamRecord | undefined, arrived: Arrived): StreamRecord {
  return {
    object_key: objectKey(scope, arrived),
    replaced_object_key: stored?.object_key ?? null,
    sha256: arrived.sha256,
    stage: arrived.stage,
    version: (stored?.version ?? 0) + 1,
    receipt_id: arrived.receiptId,
    verb: stored ? "updated" : "created",
    latest_receipt_id: arrived.receiptId,
  };
}

const overwriting = (stored: StreamRecord | undefined) =>
  stored
    ? {
        ConditionExpression: "latest_receipt_id = :latest",
        ExpressionAttributeValues: { ":latest": stored.latest_receipt_id },
      }
    : { ConditionExpression: isNew };
