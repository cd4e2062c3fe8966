import { createHash } from "node:crypto";
import * as z from "zod";
import { syncParts } from "../../contract/resources.ts";
import { historyRanges, type SyncPart } from "../../domain/connections/pulls/history-ranges.ts";
import { rejectionRecord } from "../../domain/ingest/rejection.ts";
import { isConditionMet } from "../condition-failed.ts";
import type { Key } from "../item.ts";
import { packRejections, unpackRejections } from "../packed-rejections.ts";
import { NOT_EXISTS, type Table } from "../table.ts";
import type { TeamScope } from "../team-scope.ts";

/** Retention of parts, in which a phone may resend a part. */
const KEPT_S = 30 * 24 * 60 * 60;

const partition = (scope: TeamScope, userId: string) => `${syncParts.keyPrefix}${scope.teamId}#${userId}`;
const ofSync = (syncId: string) => `${createHash("sha256").update(syncId).digest("hex")}#`;
const partKey = (scope: TeamScope, userId: string, { provider, syncId, part }: SyncPartName): Key => ({
  pk: partition(scope, userId),
  sk: `${ofSync(syncId)}${part}#${provider}`,
});
/** Earlier versions named no provider in keys and items. Such a part counts for every provider. */
const earlierKey = (scope: TeamScope, userId: string, { syncId, part }: SyncPartName): Key => ({
  pk: partition(scope, userId),
  sk: `${ofSync(syncId)}${part}`,
});

/** A synchronisation of a user's phone. Its id is unique among those of one provider. */
interface SyncName {
  readonly provider: string;
  readonly syncId: string;
}

/** A part of a synchronisation, by its number. */
interface SyncPartName extends SyncName {
  readonly part: number;
}

/** A stored part. Earlier versions stored all rejections as a list. */
const partItem = z.object({
  answer: z.object({
    receipt_id: z.string(),
    accepted: z.int(),
    rejected: z.union([z.instanceof(Uint8Array).transform(unpackRejections), z.array(rejectionRecord)]),
  }),
  ranges: historyRanges,
});
const listedPart = partItem.extend({ provider: z.string().optional() });

/** Parts of phone synchronizations. Each part is accepted once. */
export class SyncPartStore {
  readonly #table: Table;

  constructor(table: Table) {
    this.#table = table;
  }

  async get(scope: TeamScope, userId: string, name: SyncPartName): Promise<SyncPart | undefined> {
    const keys = [partKey(scope, userId, name), earlierKey(scope, userId, name)];
    const [own, earlier] = await Promise.all(keys.map((key) => this.#table.get(key, partItem)));
    return own ?? earlier;
  }

  /** Returns the received parts of a synchronization. */
  async list(scope: TeamScope, userId: string, { provider, syncId }: SyncName): Promise<SyncPart[]> {
    const input = {
      KeyConditionExpression: "pk = :pk AND begins_with(sk, :sync)",
      ExpressionAttributeValues: { ":pk": partition(scope, userId), ":sync": ofSync(syncId) },
    };
    const parts = await Array.fromAsync(this.#table.queryAll(input, listedPart));
    return parts.filter((one) => (one.provider ?? provider) === provider).map(({ provider: _, ...part }) => part);
  }

  /** Stores a part, unless it exists. @returns the stored part. */
  async putIfAbsent(scope: TeamScope, userId: string, name: SyncPartName, taken: SyncPart, nowMs: number) {
    const key = partKey(scope, userId, name);
    const { rejected } = taken.answer;
    const answer = { ...taken.answer, rejected: rejected.length === 0 ? [] : packRejections(rejected) };
    const item = { ...key, ...taken, provider: name.provider, answer, expires_at: Math.ceil(nowMs / 1000) + KEPT_S };
    const isNew = await isConditionMet(this.#table.put(item, { ConditionExpression: NOT_EXISTS }));
    return isNew ? taken : ((await this.#table.get(key, partItem)) ?? taken);
  }

  eraseUser(scope: TeamScope, userId: string): Promise<number> {
    return this.#table.deletePartition(partition(scope, userId));
  }
}
