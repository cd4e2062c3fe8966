import * as z from "zod";
import { users } from "../../contract/resources.ts";
import { type Connection, type UserRecord, userRecord } from "../../domain/users/user.ts";
import { findDueDeletions } from "../erasure/due-deletions.ts";
import {
  erasingQuery,
  ifErasing,
  requestErasureUpdate,
  restartErasureUpdate,
  restoreUpdate,
  startErasureUpdate,
} from "../erasure/erasing-users.ts";
import type { Key } from "../item.ts";
import type { ReadItem } from "../read-item.ts";
import { NOT_EXISTS, setExpression, type Table } from "../table.ts";
import type { TeamScope } from "../team-scope.ts";
import type { WriteItem } from "../transaction.ts";
import { ifAsRead } from "./if-as-read.ts";

/** Key of a user. */
export const userKey = (scope: TeamScope, userId: string): Key => ({
  pk: `${users.keyPrefix}${scope.teamId}#${userId.toLowerCase()}`,
  sk: "user",
});

/** Returns the user of a primary key. */
export const userIdOf = (pk: string): string => pk.slice(pk.lastIndexOf("#") + 1);

/** Index partition of the active users of a team. */
export const activeList = ({ teamId }: TeamScope): string => `${users.keyPrefix}${teamId}`;

/** Returns the index attributes of an active user in the list of its team: by creation, ties by id. */
const teamListAttributes = (scope: TeamScope, user: UserRecord) => ({
  team_users: activeList(scope),
  team_users_sort: `${user.created_on}#${user.user_id}`,
});

type KnownUser = Pick<UserRecord, "user_id"> & Partial<UserRecord>;
/** An update of a user with its condition. */
export type UserChange = Omit<NonNullable<WriteItem["Update"]>, "TableName" | "Key">;

/** Condition on a user's connections: the creation time of one, or all of them are unchanged. */
type Unchanged = Partial<Readonly<{ made: string; all: UserRecord["connections"] }>>;

/**
 * Users of a team. Reads return active users only; deletion has its own methods. Most functions read users, and one lists
 * pending deletions: pending-erasures.ts has its query, so that the others do not load it.
 */
export class UserStore {
  readonly table: Table;

  constructor(table: Table) {
    this.table = table;
  }

  /** Returns the active user with this id. A user in the grace period or later is not active. */
  async get(scope: TeamScope, userId: string): Promise<UserRecord | undefined> {
    const user = await this.getAnyState(scope, userId);
    return user?.lifecycle === "active" ? user : undefined;
  }

  /** Returns a read for a batch of reads: whether the user is active. */
  readActiveItem(scope: TeamScope, userId: string): ReadItem<boolean> {
    const reading = this.table.readItem(userKey(scope, userId), userRecord.pick({ lifecycle: true }));
    return { ...reading, parse: (items) => reading.parse(items)?.lifecycle === "active" };
  }

  /** Returns the user in any state, for deletion, undo, and data that was accepted before a deletion. */
  getAnyState(scope: TeamScope, userId: string): Promise<UserRecord | undefined> {
    return this.table.get(userKey(scope, userId), userRecord);
  }

  /** Returns the ids of active users in order of creation. Reads index keys only: about 150 B for each user. */
  async listIds(scope: TeamScope): Promise<string[]> {
    const ids: string[] = [];
    const keys = z.object({ pk: z.string() });
    const input = {
      IndexName: "team_users",
      KeyConditionExpression: "team_users = :team",
      ExpressionAttributeValues: { ":team": activeList(scope) },
    };
    for await (const { pk } of this.table.queryAll(input, keys)) ids.push(userIdOf(pk));
    return ids;
  }

  /** Returns the active users among these, in the order of the ids. */
  async getMany(scope: TeamScope, userIds: readonly string[]): Promise<UserRecord[]> {
    const wanted = userIds.map((userId) => userKey(scope, userId));
    const found = await this.table.getMany(wanted, userRecord);
    const byId = new Map(found.map((user) => [user.user_id, user]));
    return userIds.flatMap((userId) => byId.get(userId) ?? []).filter((user) => user.lifecycle === "active");
  }

  /** Builds the write of a new user. It fails if the id exists. */
  createItem(scope: TeamScope, user: UserRecord): WriteItem {
    const item = { ...userKey(scope, user.user_id), ...user, ...teamListAttributes(scope, user) };
    return { Put: { TableName: this.table.name, Item: item, ConditionExpression: NOT_EXISTS } };
  }

  /** Builds the write that updates an active user, under the condition of {@link ifAsRead}. */
  updateItem(scope: TeamScope, user: KnownUser, changes: Partial<UserRecord>): WriteItem {
    const { ExpressionAttributeValues: values, ...change } = setExpression(changes);
    return this.changeItem(scope, user.user_id, { ...change, ...ifAsRead(user, changes, values) });
  }

  /** Builds the write that puts a connection of an active user. @param only condition on the connections. */
  putConnectionItem(
    scope: TeamScope,
    userId: string,
    slug: string,
    connection: Connection,
    only: Unchanged = {},
  ): WriteItem {
    const { made, all } = only;
    const [ofOne, one] = made ? [" AND connections.#slug.created_on = :made", { ":made": made }] : [""];
    const [ofAll, others] = all ? [" AND connections = :all", { ":all": all }] : [""];
    return this.changeItem(scope, userId, {
      UpdateExpression: "SET connections.#slug = :connection",
      ConditionExpression: `lifecycle = :active${ofOne}${ofAll}`,
      ExpressionAttributeNames: { "#slug": slug },
      ExpressionAttributeValues: { ":connection": connection, ":active": "active", ...one, ...others },
    });
  }

  /** Builds the write that ends one connection of an active user. @param made its creation, ISO 8601. */
  deleteConnectionItem(scope: TeamScope, userId: string, slug: string, made: string): WriteItem {
    return this.changeItem(scope, userId, {
      UpdateExpression: "REMOVE connections.#slug",
      ConditionExpression: "lifecycle = :active AND connections.#slug.created_on = :made",
      ExpressionAttributeNames: { "#slug": slug },
      ExpressionAttributeValues: { ":active": "active", ":made": made },
    });
  }

  /**
   * active -> pending_erasure: starts the grace period, ends every connection, and removes the user from the team's list.
   * It also writes `phone_ends`. It fails if the connections have changed, because each also ends elsewhere.
   */
  requestErasureItem(scope: TeamScope, pending: UserRecord): WriteItem {
    return this.changeItem(scope, pending.user_id, requestErasureUpdate(pending));
  }

  /** pending_erasure -> active, before the grace period ends. @param now ISO 8601. */
  restoreItem(scope: TeamScope, user: UserRecord, now: string): WriteItem {
    return this.changeItem(scope, user.user_id, restoreUpdate(user, teamListAttributes(scope, user), now));
  }

  /** Makes a transaction depend on the user being active. */
  requireActiveItem(scope: TeamScope, userId: string): WriteItem {
    return {
      ConditionCheck: {
        TableName: this.table.name,
        Key: userKey(scope, userId),
        ConditionExpression: "lifecycle = :active",
        ExpressionAttributeValues: { ":active": "active" },
      },
    };
  }

  /** pending_erasure -> erasing, after the grace period: the point of no return. @param now ISO 8601. */
  startErasureItem(scope: TeamScope, userId: string, deletionId: string, now: string): WriteItem {
    return this.changeItem(scope, userId, startErasureUpdate(scope, deletionId, now));
  }

  /** Any state -> erasing, for an erased user that a restored backup brought back. */
  restartErasureItem(scope: TeamScope, user: UserRecord): WriteItem {
    return this.changeItem(scope, user.user_id, restartErasureUpdate(user));
  }

  /** Whether the team has users in erasure. */
  async hasErasingUsers(scope: TeamScope): Promise<boolean> {
    return (await this.table.query(erasingQuery(scope), z.object({ pk: z.string() }))).items.length > 0;
  }

  /** Builds the write that deletes the record of an erased user; the last write. */
  deleteErasedItem(scope: TeamScope, userId: string): WriteItem {
    return { Delete: { TableName: this.table.name, Key: userKey(scope, userId), ...ifErasing } };
  }

  /** Returns deletions whose grace period ended before `now` (ISO 8601), and the next end of a grace period. */
  listDueDeletions(now: string): ReturnType<typeof findDueDeletions> {
    return findDueDeletions(this.table, now);
  }

  /** Builds an update of a user that states its own condition. */
  changeItem(scope: TeamScope, userId: string, update: UserChange): WriteItem {
    return {
      Update: {
        TableName: this.table.name,
        Key: userKey(scope, userId),
        ...update,
        ReturnValuesOnConditionCheckFailure: "ALL_OLD",
      } as NonNullable<WriteItem["Update"]>,
    };
  }
}
