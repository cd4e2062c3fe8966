import { createHash } from "node:crypto";
import { accessHours, accessLog } from "../../contract/resources.ts";
import { type AccessEntry, accessEntry } from "../../domain/audit/access-entry.ts";
import { hourEnd, hourStart, LOG_RETENTION_S } from "../../domain/audit/hash-chain.ts";
import type { Item, Key } from "../item.ts";
import type { Page, Table } from "../table.ts";
import type { TeamScope } from "../team-scope.ts";
import { queryRawItems } from "./raw-items.ts";
import { UnsealedHourStore } from "./unsealed-hours.ts";

/** Number of partitions for the entries of a team and day. Each takes 1,000 writes a second. */
const SHARDS = 8;
const shards = Array.from({ length: SHARDS }, (_, shard) => shard);

const dateOf = (instant: string) => instant.slice(0, 10);
const partition = (teamId: string, date: string, shard: number) => `${accessLog.keyPrefix}${teamId}#${date}#${shard}`;
const shardOf = (id: string) => createHash("sha256").update(id).digest().readUInt8() % SHARDS;
const position = ({ at, id }: AccessEntry) => `${at}#${id}`;

const entryKey = (teamId: string, entry: AccessEntry): Key => ({
  pk: partition(teamId, dateOf(entry.at), shardOf(entry.id)),
  sk: position(entry),
});

/** Range of a day: positions from one (inclusive) to another (exclusive), of one user or of all. */
export interface AccessQuery {
  readonly date: string;
  readonly from: string;
  readonly before: string;
  readonly subject: string | undefined;
}

/** Entries of a day, newest first, and the position before which more entries may follow. */
export interface AccessLogPage {
  readonly entries: AccessEntry[];
  readonly nextBefore: string | undefined;
}

/**
 * Access log: calls that may have touched data of a team's users. Entries are written, completed, and never changed
 * again.
 */
export class AccessLogStore {
  readonly #table: Table;
  readonly unsealedHours: UnsealedHourStore;

  constructor(table: Table) {
    this.#table = table;
    this.unsealedHours = new UnsealedHourStore(table, accessHours.keyPrefix);
  }

  /** Writes an entry, or completes the entry with its id with the outcome of the call. */
  async record({ teamId }: TeamScope, entry: AccessEntry): Promise<void> {
    await this.unsealedHours.mark({ kind: "access", id: teamId }, entry.at);
    await this.#table.put(itemOf(teamId, entry));
  }

  /**
   * Returns entries of a day, newest first: all from a position on, as far as one request to each partition reaches.
   * @param limit maximum entries of the page.
   */
  async listDay({ teamId }: TeamScope, query: AccessQuery, limit: number): Promise<AccessLogPage> {
    const pages = await Promise.all(
      shards.map((shard) => this.#page(partition(teamId, query.date, shard), query, limit)),
    );
    // Entries that one partition has not returned yet may be newer than those of other partitions.
    const horizon = pages
      .flatMap(({ lastKey }) => (lastKey ? [String(lastKey.sk)] : []))
      .toSorted()
      .at(-1);
    const all = pages.flatMap(({ items }) => items).filter((entry) => position(entry) !== query.before);
    const read = all.filter((entry) => !horizon || position(entry) >= horizon);
    const newest = read.toSorted((one, other) => (position(one) < position(other) ? 1 : -1));
    const last = newest[limit - 1];
    return newest.length > limit && last
      ? { entries: newest.slice(0, limit), nextBefore: position(last) }
      : { entries: newest, nextBefore: horizon };
  }

  /** Yields the complete items of an hour, in the order of the seal. */
  async *listHourItems(teamId: string, hour: string): AsyncGenerator<Item> {
    for (const shard of shards) {
      yield* queryRawItems(this.#table, partition(teamId, dateOf(hour), shard), hourStart(hour), hourEnd(hour));
    }
  }

  #page(pk: string, { from, before, subject }: AccessQuery, limit: number): Promise<Page<AccessEntry>> {
    const ofOne = { FilterExpression: "subject = :subject" };
    return this.#table.query(
      {
        KeyConditionExpression: "pk = :pk AND sk BETWEEN :from AND :before",
        ExpressionAttributeValues: {
          ":pk": pk,
          ":from": from,
          ":before": before,
          ...(subject && { ":subject": subject }),
        },
        ScanIndexForward: false,
        ...(subject === undefined ? { Limit: limit } : ofOne),
      },
      accessEntry,
    );
  }
}

const itemOf = (teamId: string, entry: AccessEntry) => ({
  ...entryKey(teamId, entry),
  ...entry,
  expires_at: Math.floor(Date.parse(entry.at) / 1000) + LOG_RETENTION_S,
});
