import { rawPayloads } from "../../contract/resources.ts";
import {
  pullIdOf,
  type RawPayload,
  type StoredPayload,
  storedPayload,
} from "../../domain/connections/raw-payloads/raw-payload.ts";
import { ConditionFailed } from "../condition-failed.ts";
import { receiptTime } from "../ingest/receipt-id.ts";
import type { Item } from "../item.ts";
import type { ObjectStorage } from "../summaries/streams.ts";
import type { Page, Table } from "../table.ts";
import type { TeamScope } from "../team-scope.ts";
import type { UserCiphers } from "../user-encryption.ts";
import { PayloadDays } from "./payload-days.ts";
import { PayloadObjects } from "./payload-objects.ts";
import { MAX_PULL_MS, PAYLOADS_PER_READ, type PayloadPlace, readNewestPayloads } from "./payload-order.ts";

/** Restricts a list of payloads, by time of receipt among others. */
export interface PayloadFilter {
  readonly provider?: string | undefined;
  readonly resource?: string | undefined;
  /** Epoch milliseconds, included. */
  readonly fromMs?: number | undefined;
  /** Epoch milliseconds, excluded. */
  readonly toMs?: number | undefined;
}

/** A later time than that of any payload. Its text sorts before the counts of days. */
const END_MS = 1e13;

const partition = (scope: TeamScope, userId: string) => `${rawPayloads.keyPrefix}${scope.teamId}#${userId}`;

/**
 * Responses and pushes of providers: what was requested as items, bodies as objects under the keys of users. An object
 * exists before an item names it. Equal bodies of a user are one object.
 */
export class RawPayloadStore {
  readonly #table: Table;
  readonly #objects: PayloadObjects;
  /** Counts of the payloads of each day. */
  readonly days: PayloadDays;

  constructor(table: Table, openStorage: () => ObjectStorage, ciphers: UserCiphers) {
    this.#table = table;
    this.#objects = new PayloadObjects(openStorage, ciphers);
    this.days = new PayloadDays(table);
  }

  /**
   * Stores a payload until its expiry. A body that is stored already replaces its object, which then lives as long as
   * the newest payload.
   * @throws UserKeyGone if the user has no key.
   */
  async put(
    scope: TeamScope,
    userId: string,
    given: Omit<RawPayload, "digest">,
    body: Uint8Array,
    expiresAtMs: number,
  ) {
    const digest = this.#objects.digest(scope, userId, body);
    await this.#objects.put(scope, userId, digest, body);
    const key = { pk: partition(scope, userId), sk: given.payload_id };
    await this.#table.put({ ...key, ...given, digest, expires_at: expiry(expiresAtMs) });
  }

  /** Returns a payload until it expires. */
  async get(scope: TeamScope, userId: string, id: string, nowMs: number): Promise<StoredPayload | undefined> {
    const found = await this.#table.get({ pk: partition(scope, userId), sk: id }, storedPayload);
    return found && found.expires_at * 1000 > nowMs ? found : undefined;
  }

  /** Returns the body of a payload. */
  readBody(scope: TeamScope, userId: string, { digest }: RawPayload): Promise<Buffer> {
    return this.#objects.get(scope, userId, digest);
  }

  /** Returns one page of payloads, the last received first. It may be empty although more follow. */
  list(
    scope: TeamScope,
    userId: string,
    filter: PayloadFilter,
    after: PayloadPlace | undefined,
    limit: number,
    nowMs: number,
  ) {
    const untilMs = after ? Math.min(Date.parse(after[0]) + 1, filter.toMs ?? END_MS) : filter.toMs;
    const reading = { limit: PAYLOADS_PER_READ, nowMs, isAscending: false };
    const read = (start: Item | undefined) =>
      this.#page(scope, userId, { ...filter, toMs: untilMs }, start && String(start.sk), reading);
    return readNewestPayloads(read, after, limit);
  }

  /** Returns the ids of pulls with such payloads in the order of time after the pull `after`, and where to continue. */
  async listPulls(
    scope: TeamScope,
    userId: string,
    filter: PayloadFilter,
    after: string | undefined,
    limit: number,
    nowMs: number,
  ): Promise<{ pullIds: string[]; last: string | undefined }> {
    // No payload has the place "~", which sorts behind all places of a pull.
    const start = after === undefined ? undefined : `${after}.~`;
    const { items, lastKey } = await this.#page(scope, userId, filter, start, { limit, nowMs, isAscending: true });
    const pullIds = [...new Set(items.map(({ payload_id }) => pullIdOf(payload_id)))];
    return { pullIds, last: lastKey && pullIdOf(String(lastKey.sk)) };
  }

  /** Returns the payloads of a pull in order. */
  listPayloads(scope: TeamScope, userId: string, pullId: string): Promise<StoredPayload[]> {
    const input = {
      KeyConditionExpression: "pk = :pk AND begins_with(sk, :pull)",
      ExpressionAttributeValues: { ":pk": partition(scope, userId), ":pull": `${pullId}.` },
    };
    return Array.fromAsync(this.#table.queryAll(input, storedPayload));
  }

  /** Stores what a mapper made of a pull, JSON, and its version with the first payload of the pull. */
  async putMapping(scope: TeamScope, userId: string, firstId: string, text: string, mapperVersion: number) {
    await this.#objects.put(scope, userId, pullIdOf(firstId), Buffer.from(text));
    const change = {
      UpdateExpression: "SET mapper_version = :version",
      ConditionExpression: "attribute_exists(pk)",
      ExpressionAttributeValues: { ":version": mapperVersion },
    };
    await this.#table.update({ pk: partition(scope, userId), sk: firstId }, change).catch((error) => {
      // The payload expired or its user is erased.
      if (!(error instanceof ConditionFailed)) throw error;
    });
  }

  /** Returns what {@link putMapping} stored for a pull. */
  async readMapping(scope: TeamScope, userId: string, pullId: string): Promise<string> {
    return (await this.#objects.get(scope, userId, pullId)).toString("utf8");
  }

  /** Deletes all payloads of a user, including objects that no item names. @returns the number of deleted items. */
  async eraseUser(scope: TeamScope, userId: string): Promise<number> {
    await this.#objects.eraseUser(scope, userId);
    return this.#table.deletePartition(partition(scope, userId));
  }

  /** Reads payloads in the order of their keys: by the start of their pull, which is before their receipt. */
  #page(
    scope: TeamScope,
    userId: string,
    { provider, resource, ...received }: PayloadFilter,
    start: string | undefined,
    { limit, nowMs, isAscending }: { readonly limit: number; readonly nowMs: number; readonly isAscending: boolean },
  ): Promise<Page<StoredPayload>> {
    const pk = partition(scope, userId);
    const fromMs = Math.min(Math.max(0, received.fromMs ?? 0), END_MS);
    const toMs = Math.min(Math.max(fromMs, received.toMs ?? END_MS), END_MS);
    const equal = Object.entries({ provider, resource }).filter(([, value]) => value !== undefined);
    return this.#table.query(
      {
        KeyConditionExpression: "pk = :pk AND sk BETWEEN :from AND :to",
        FilterExpression: [
          "expires_at > :now AND received_at >= :since AND received_at < :until",
          ...equal.map(([name]) => `#${name} = :${name}`),
        ].join(" AND "),
        ...(equal.length > 0 && {
          ExpressionAttributeNames: Object.fromEntries(equal.map(([name]) => [`#${name}`, name])),
        }),
        ExpressionAttributeValues: {
          ":pk": pk,
          ":from": receiptTime(Math.max(0, fromMs - MAX_PULL_MS)),
          ":to": receiptTime(toMs),
          ":since": new Date(fromMs).toISOString(),
          ":until": new Date(toMs).toISOString(),
          ":now": Math.floor(nowMs / 1000),
          ...Object.fromEntries(equal.map(([name, value]) => [`:${name}`, value])),
        },
        ScanIndexForward: isAscending,
        Limit: limit,
        ...(start === undefined ? {} : { ExclusiveStartKey: { pk, sk: start } }),
      },
      storedPayload,
    );
  }
}

const expiry = (ms: number) => Math.floor(ms / 1000);
