import * as z from "zod";
import { lakeUsers } from "../../contract/resources.ts";
import type { LakeTableName } from "../../domain/lake/lake-tables.ts";
import type { Key } from "../item.ts";
import { NOT_EXISTS, setExpression, type Table } from "../table.ts";
import type { TeamScope } from "../team-scope.ts";
import type { WriteItem } from "../transaction.ts";

/** What was appended to a table: a batch by its receipt, or an event. `userId` is empty for an event of the team. */
export interface Appended {
  readonly userId: string;
  /** Unique within the team. */
  readonly id: string;
}

/** A day of a table with rows of a user. */
export interface LakeDay {
  readonly table: LakeTableName;
  /** Days since 1970. */
  readonly day: number;
}

/** Retention of the ids of appended batches: longer than a message can come back from the dead-letter queue. */
const APPENDED_MS = 30 * 24 * 60 * 60 * 1000;

const partition = ({ teamId }: TeamScope, userId: string) => `${lakeUsers.keyPrefix}${teamId}#${userId}`;
const appendedKey = (scope: TeamScope, table: LakeTableName, { userId, id }: Appended): Key => ({
  pk: partition(scope, userId),
  sk: `appended#${table}#${id}`,
});
const dayKey = (scope: TeamScope, userId: string, { table, day }: LakeDay): Key => ({
  pk: partition(scope, userId),
  sk: `day#${String(day).padStart(6, "0")}#${table}`,
});

const dayItem = z.object({ table: z.custom<LakeTableName>(), day: z.number(), cleared_at: z.string().optional() });

/** Where the lake holds rows of a user, and what was appended to it. */
export class LakeUserStore {
  readonly #table: Table;

  constructor(table: Table) {
    this.#table = table;
  }

  /** Returns which of these were appended to a table already, by id. */
  async listAppended(scope: TeamScope, table: LakeTableName, all: readonly Appended[]): Promise<Set<string>> {
    const keys = all.map((one) => appendedKey(scope, table, one));
    const found = await this.#table.getMany(keys, z.object({ sk: z.string() }));
    return new Set(found.map(({ sk }) => sk.slice(`appended#${table}#`.length)));
  }

  /** Builds the write that records an append, if nothing recorded it before. @param nowMs epoch milliseconds. */
  appendItem(scope: TeamScope, table: LakeTableName, one: Appended, nowMs: number): WriteItem {
    const item = { ...appendedKey(scope, table, one), expires_at: Math.ceil((nowMs + APPENDED_MS) / 1000) };
    return { Put: { TableName: this.#table.name, Item: item, ConditionExpression: NOT_EXISTS } };
  }

  /** Records that a day may hold rows of a user. Precedes the rows. */
  async markDay(scope: TeamScope, userId: string, day: LakeDay): Promise<void> {
    await this.#table.put({ ...dayKey(scope, userId, day), ...day });
  }

  /** Returns the days that may hold rows of a user and that no erasure has cleared. */
  async listDays(scope: TeamScope, userId: string): Promise<LakeDay[]> {
    const input = {
      KeyConditionExpression: "pk = :pk AND begins_with(sk, :day)",
      ExpressionAttributeValues: { ":pk": partition(scope, userId), ":day": "day#" },
    };
    const all = await Array.fromAsync(this.#table.queryAll(input, dayItem));
    return all.filter(({ cleared_at }) => cleared_at === undefined);
  }

  /** Records that an erasure removed the rows of a user from a day. The item stays for the inventory of the erasure. */
  async clearDay(scope: TeamScope, userId: string, day: LakeDay, now: string): Promise<void> {
    await this.#table.update(dayKey(scope, userId, day), setExpression({ cleared_at: now }));
  }

  /** Deletes all items of a user. @returns their number. */
  eraseUser(scope: TeamScope, userId: string): Promise<number> {
    return this.#table.deletePartition(partition(scope, userId));
  }
}
