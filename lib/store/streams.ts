import { createHash } from "node:crypto";
import { gunzipSync, gzipSync } from "node:zlib";
import * as z from "zod";
import { type Stage, stages } from "../domain/batch.ts";
import { ConditionFailed } from "./condition-failed.ts";
import { itemKey, objectKey, objectPrefix, partition, placeOf, type StreamKey } from "./stream-keys.ts";
import { isNew, type Table } from "./table.ts";
import type { TeamScope } from "./team-scope.ts";
import type { UserSeals } from "./user-seals.ts";

/** A stream that arrives. */
export interface IncomingStream extends StreamKey {
  readonly stage: Stage;
  /** JSON. */
  readonly text: string;
}

/** The receipt that a stream arrives with. */
interface Receipt {
  /** Receipt ids sort by time. */
  readonly receiptId: string;
  /** Whether no batch of the user that was received earlier can still arrive. */
  readonly isLatest: () => Promise<boolean>;
}

const streamRecord = z.object({
  /** Where the content is; an object never changes. */
  object_key: z.string(),
  /** Where the content before it was. */
  replaced_object_key: z.string().nullable(),
  sha256: z.string(),
  /** How the present content came. */
  stage: z.enum(stages),
  /** Counts the contents that this stream has had. */
  version: z.number().int(),
  /** The receipt that brought the present content, and what it was for this stream then. */
  receipt_id: z.string(),
  verb: z.enum(["created", "updated"]),
  /** The latest receipt that brought the present content. */
  latest_receipt_id: z.string(),
});
export type StreamRecord = z.output<typeof streamRecord>;

/** Where contents are kept, by names. */
export interface Objects {
  keep(key: string, content: Uint8Array): Promise<void>;
  load(key: string): Promise<Uint8Array>;
  drop(key: string): Promise<void>;
  dropAll(prefix: string): Promise<void>;
}

/** What storing a stream did, and what is stored then. */
interface MergedStream {
  readonly outcome: "created" | "updated" | "unchanged";
  readonly record: StreamRecord;
  /** Size of the object that was written for it; 0 when the stored content stands. */
  readonly writtenBytes: number;
}

type Arrived = IncomingStream & Receipt & { readonly sha256: string };

const MERGE_ATTEMPTS = 20;

/**
 * Streams of workouts and sleep: contents as objects, sealed under the keys of users, each named by an item. An object is there before an item names it
 * and until none does, so what an item names can be read, whatever was cut off in between.
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

  /** Stores a stream unless a later one is there. Told again of a receipt that it holds, it answers the same as then. */
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

  /** The present content, JSON; undefined when there is none. */
  async read(scope: TeamScope, key: StreamKey): Promise<string | undefined> {
    let record = await this.get(scope, key);
    while (record) {
      try {
        const sealed = await this.#objects.load(record.object_key);
        const seal = await this.#seals.of(scope, key.userId);
        return gunzipSync(seal.open(sealed, placeOf(record.object_key))).toString("utf8");
      } catch (error) {
        // It may have been replaced or erased since its item was read.
        const present = await this.get(scope, key);
        if (present?.object_key === record.object_key) throw error;
        record = present;
      }
    }
    return undefined;
  }

  /** Deletes every stream of a user, also objects that no item names. @returns how many items there were. */
  async eraseUser(scope: TeamScope, userId: string): Promise<number> {
    await this.#objects.dropAll(objectPrefix(scope, userId));
    return this.#table.erasePartition(partition(scope, userId));
  }

  /** Whether the stored content stands and nothing is to be noted about the one that arrived. */
  async #isSettled(scope: TeamScope, stored: StreamRecord, arrived: Arrived): Promise<boolean> {
    const isTold = stored.receipt_id === arrived.receiptId;
    if (!isTold && arrived.receiptId >= stored.latest_receipt_id)
      return stored.sha256 === arrived.sha256 && arrived.isLatest();
    // What it would have left behind had it been cut off, or overtaken, on its way.
    const left = isTold ? stored.replaced_object_key : objectKey(scope, arrived);
    if (left !== null) await this.#objects.drop(left);
    return true;
  }

  /** Writes what arrived, under the condition that nothing else was written since `stored` was read. */
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

/** What an arriving stream is to the stored one. */
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
