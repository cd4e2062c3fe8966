import * as z from "zod";
import { users } from "../contract/resources.ts";
import { type Connection, type UserRecord, userRecord } from "../domain/user.ts";
import { DELETIONS_DUE, findDueDeletions } from "./due-deletions.ts";
import { beginning, beginningAgain, erasingQuery, isEnding } from "./erasure/ending-users.ts";
import type { ReadItem } from "./read-item.ts";
import { isNew, type Key, setting, type Table } from "./table.ts";
import type { TeamScope } from "./team-scope.ts";
import type { WriteItem } from "./transaction.ts";

const userKey = (scope: TeamScope, userId: string): Key => ({
  pk: `${users.keyPrefix}${scope.teamId}#${userId.toLowerCase()}`,
  sk: "user",
});

/** Returns the index attributes of an active user in the list of its team: by creation, ties by id. */
const listing = (scope: TeamScope, user: UserRecord) => ({
  team_users: `${users.keyPrefix}${scope.teamId}`,
  team_users_sort: `${user.created_on}#${user.user_id}`,
});

type KnownUser = Pick<UserRecord, "user_id"> & Partial<UserRecord>;
type Update = Omit<NonNullable<WriteItem["Update"]>, "TableName" | "Key">;

/** Condition on a user's connections: the creation time of one, or all of them are unchanged. */
type Unchanged = Partial<Readonly<{ made: string; all: UserRecord["connections"] }>>;

/** Users of a team. Reads return active users only; deletion has its own methods. */
export class UserStore {
  readonly #table: Table;

  constructor(table: Table) {
    this.#table = table;
  }

  /** Returns the active user with this id. A user in the grace period or later is not active. */
  async get(scope: TeamScope, userId: string): Promise<UserRecord | undefined> {
    const user = await this.getAnyState(scope, userId);
    return user?.lifecycle === "active" ? user : undefined;
  }

  /** Returns a read for a batch of reads: whether the user is active. */
  readingPresence(scope: TeamScope, userId: string): ReadItem<boolean> {
    const reading = this.#table.reading(userKey(scope, userId), userRecord.pick({ lifecycle: true }));
    return { ...reading, of: (items) => reading.of(items)?.lifecycle === "active" };
  }

  /** Returns the user in any state. Only deletion and undo use this method. */
  getAnyState(scope: TeamScope, userId: string): Promise<UserRecord | undefined> {
    return this.#table.get(userKey(scope, userId), userRecord);
  }

  /** Returns the ids of active users in order of creation. Reads index keys only: about 150 B for each user. */
  async listIds(scope: TeamScope): Promise<string[]> {
    const ids: string[] = [];
    const keys = z.object({ pk: z.string() });
    const input = {
      IndexName: "team_users",
      KeyConditionExpression: "team_users = :team",
      ExpressionAttributeValues: { ":team": `${users.keyPrefix}${scope.teamId}` },
    };
    for await (const { pk } of this.#table.all(input, keys)) ids.push(pk.slice(pk.lastIndexOf("#") + 1));
    return ids;
  }

  /** Returns the active users among these, in the order of the ids. */
  async getMany(scope: TeamScope, userIds: readonly string[]): Promise<UserRecord[]> {
    const wanted = userIds.map((userId) => userKey(scope, userId));
    const found = await this.#table.getMany(wanted, userRecord);
    const byId = new Map(found.map((user) => [user.user_id, user]));
    return userIds.flatMap((userId) => byId.get(userId) ?? []).filter((user) => user.lifecycle === "active");
  }

  /** Builds the write of a new user. It fails if the id exists. */
  createItem(scope: TeamScope, user: UserRecord): WriteItem {
    const item = { ...userKey(scope, user.user_id), ...user, ...listing(scope, user) };
    return { Put: { TableName: this.#table.name, Item: item, ConditionExpression: isNew } };
  }

  /** Builds the write that updates an active user, if a `client_user_id` that was read is unchanged. */
  changeItem(scope: TeamScope, user: KnownUser, changes: Partial<UserRecord>): WriteItem {
    const { ExpressionAttributeValues: values, ...change } = setting(changes);
    const reference = user.client_user_id && { ":reference": user.client_user_id };
    return this.#updateItem(scope, user.user_id, {
      ...change,
      ConditionExpression: `lifecycle = :active${reference ? " AND client_user_id = :reference" : ""}`,
      ExpressionAttributeValues: { ...values, ":active": "active", ...(reference || {}) },
    });
  }

  /** Builds the write that puts a connection of an active user. @param only condition on the connections. */
  connectItem(scope: TeamScope, userId: string, slug: string, connection: Connection, only: Unchanged = {}): WriteItem {
    const { made, all } = only;
    const [ofOne, one] = made ? [" AND connections.#slug.created_on = :made", { ":made": made }] : [""];
    const [ofAll, others] = all ? [" AND connections = :all", { ":all": all }] : [""];
    return this.#updateItem(scope, userId, {
      UpdateExpression: "SET connections.#slug = :connection",
      ConditionExpression: `lifecycle = :active${ofOne}${ofAll}`,
      ExpressionAttributeNames: { "#slug": slug },
      ExpressionAttributeValues: { ":connection": connection, ":active": "active", ...one, ...others },
    });
  }

  /** Builds the write that ends one connection of an active user. */
  disconnectItem(scope: TeamScope, userId: string, slug: string): WriteItem {
    return this.#updateItem(scope, userId, {
      UpdateExpression: "REMOVE connections.#slug",
      ConditionExpression: "lifecycle = :active AND attribute_exists(connections.#slug)",
      ExpressionAttributeNames: { "#slug": slug },
      ExpressionAttributeValues: { ":active": "active" },
    });
  }

  /**
   * active -> pending_erasure: starts the grace period, ends every connection, and removes the user from the team's
   * list. It fails if the connections have changed, because each also ends elsewhere.
   */
  pendItem(scope: TeamScope, pending: UserRecord): WriteItem {
    return this.#updateItem(scope, pending.user_id, {
      UpdateExpression:
        "SET lifecycle = :pending, deletion_id = :id, deletion_requested_at = :requested, erase_at = :at, connections = :none, due_shard = :due, due_at = :at REMOVE team_users, team_users_sort",
      ConditionExpression: "lifecycle = :active AND connections = :connections",
      ExpressionAttributeValues: {
        ":active": "active",
        ":connections": pending.connections,
        ":pending": "pending_erasure",
        ":id": pending.deletion_id,
        ":requested": pending.deletion_requested_at,
        ":at": pending.erase_at,
        ":none": {},
        ":due": DELETIONS_DUE,
      },
    });
  }

  /** pending_erasure -> active, before the grace period ends. @param now ISO 8601. */
  restoreItem(scope: TeamScope, user: UserRecord, now: string): WriteItem {
    return this.#updateItem(scope, user.user_id, {
      UpdateExpression:
        "SET lifecycle = :active, team_users = :team, team_users_sort = :sort REMOVE deletion_id, deletion_requested_at, erase_at, due_shard, due_at",
      ConditionExpression: "lifecycle = :pending AND deletion_id = :id AND erase_at > :now",
      ExpressionAttributeValues: {
        ":active": "active",
        ":pending": "pending_erasure",
        ":id": user.deletion_id,
        ":now": now,
        ":team": listing(scope, user).team_users,
        ":sort": listing(scope, user).team_users_sort,
      },
    });
  }

  /** Makes a transaction depend on the user being active. */
  requireActiveItem(scope: TeamScope, userId: string): WriteItem {
    return {
      ConditionCheck: {
        TableName: this.#table.name,
        Key: userKey(scope, userId),
        ConditionExpression: "lifecycle = :active",
        ExpressionAttributeValues: { ":active": "active" },
      },
    };
  }

  /** pending_erasure -> erasing, after the grace period: the point of no return. @param now ISO 8601. */
  beginErasureItem(scope: TeamScope, userId: string, deletionId: string, now: string): WriteItem {
    return this.#updateItem(scope, userId, beginning(scope, deletionId, now));
  }

  /** Any state -> erasing, for an erased user that a restored backup brought back. */
  eraseAgainItem(scope: TeamScope, user: UserRecord): WriteItem {
    return this.#updateItem(scope, user.user_id, beginningAgain(user));
  }

  /** Whether the team has users in erasure. */
  async isErasing(scope: TeamScope): Promise<boolean> {
    return (await this.#table.query(erasingQuery(scope), z.object({ pk: z.string() }))).items.length > 0;
  }

  /** Builds the write that deletes the record of an erased user; the last write. */
  removeErasedItem(scope: TeamScope, userId: string): WriteItem {
    return { Delete: { TableName: this.#table.name, Key: userKey(scope, userId), ...isEnding } };
  }

  /** Returns deletions whose grace period ended before `now` (ISO 8601), and the next end of a grace period. */
  dueDeletions(now: string): ReturnType<typeof findDueDeletions> {
    return findDueDeletions(this.#table, now);
  }

  #updateItem(scope: TeamScope, userId: string, update: Update): WriteItem {
    return {
      Update: {
        TableName: this.#table.name,
        Key: userKey(scope, userId),
        ...update,
        ReturnValuesOnConditionCheckFailure: "ALL_OLD",
      } as NonNullable<WriteItem["Update"]>,
    };
  }
}
