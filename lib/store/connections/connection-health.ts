import * as z from "zod";
import { connectionHealth as entity } from "../../contract/resources.ts";
import {
  type ConnectionHealth,
  type ConnectionHealthRef,
  connectionHealth,
} from "../../domain/connections/health/connection-health.ts";
import { isConditionMet } from "../condition-failed.ts";
import { type DueItems, findDueItems } from "../due-index.ts";
import type { Key } from "../item.ts";
import type { Expression, Table } from "../table.ts";
import type { TeamScope } from "../team-scope.ts";
import type { WriteItem } from "../transaction.ts";

/** Index partition of the deadlines. */
const DUE = `${entity.keyPrefix}due`;
/** Maximum deadlines of one sweep, which runs every minute. */
const MAX_DUE = 200;

const partition = (scope: TeamScope, userId: string) => `${entity.keyPrefix}${scope.teamId}#${userId}`;
const healthKey = (scope: TeamScope, { user_id, provider }: ConnectionHealthRef): Key => ({
  pk: partition(scope, user_id),
  sk: provider,
});
/** Index partition of a team's stale connections. */
const staleOf = (scope: TeamScope) => `${entity.keyPrefix}${scope.teamId}`;
/** Order of the list: oldest staleness first. */
const staleSort = ({ stale_since = "", user_id, provider }: StalePosition) => `${stale_since}#${user_id}#${provider}`;

/** A stale connection and its place in the list of its team. */
export type StalePosition = Pick<ConnectionHealth, "user_id" | "provider" | "stale_since">;

/** Health of connections: deadlines of those that are watched, and those that are stale. */
export class ConnectionHealthStore {
  readonly #table: Table;

  constructor(table: Table) {
    this.#table = table;
  }

  /** Builds the write of the health of a connection. The write of its user beside it states the condition. */
  putItem(scope: TeamScope, health: ConnectionHealth): WriteItem {
    return { Put: { TableName: this.#table.name, Item: itemOf(scope, health) } };
  }

  /** Builds the write that deletes the health of a connection, if any. */
  deleteItem(scope: TeamScope, ref: Pick<ConnectionHealthRef, "user_id" | "provider">): WriteItem {
    return { Delete: { TableName: this.#table.name, Key: healthKey(scope, { team_id: scope.teamId, ...ref }) } };
  }

  /** Moves a deadline that was read. @param dueAt ISO 8601. @returns whether it was unchanged. */
  postpone(scope: TeamScope, read: ConnectionHealth, dueAt: string): Promise<boolean> {
    return isConditionMet(this.#table.put(itemOf(scope, { ...read, due_at: dueAt }), ifUnchanged(read)));
  }

  /** Deletes a deadline that was read. @returns whether it was unchanged. */
  drop(scope: TeamScope, read: ConnectionHealth): Promise<boolean> {
    return isConditionMet(this.#table.delete(healthKey(scope, read), ifUnchanged(read)));
  }

  /** Returns the deadlines that are over, and the time of the next one. @param now ISO 8601. */
  listDue(now: string): Promise<DueItems<ConnectionHealth>> {
    const search = { partitions: [DUE], schema: connectionHealth, limit: MAX_DUE };
    return findDueItems(this.#table, { ...search, dueAt: ({ due_at = "" }: ConnectionHealth) => due_at }, now);
  }

  /** Returns a page of a team's stale connections, oldest first. It reads index keys only. */
  async listStale(scope: TeamScope, limit: number, after: StalePosition | undefined): Promise<StalePosition[]> {
    const keys = z.object({ sk: z.string(), team_users_sort: z.string() });
    const start = after && {
      ...healthKey(scope, { team_id: scope.teamId, ...after }),
      team_users: staleOf(scope),
      team_users_sort: staleSort(after),
    };
    const { items } = await this.#table.query(
      {
        IndexName: "team_users",
        KeyConditionExpression: "team_users = :team",
        ExpressionAttributeValues: { ":team": staleOf(scope) },
        Limit: limit,
        ...(start ? { ExclusiveStartKey: start } : {}),
      },
      keys,
    );
    return items.map(({ sk, team_users_sort }) => {
      const [stale_since = "", user_id = ""] = team_users_sort.split("#");
      return { stale_since, user_id, provider: sk };
    });
  }

  eraseUser(scope: TeamScope, userId: string): Promise<number> {
    return this.#table.deletePartition(partition(scope, userId));
  }
}

function itemOf(scope: TeamScope, health: ConnectionHealth) {
  const due = health.due_at === undefined ? {} : { due_shard: DUE };
  const listed =
    health.stale_since === undefined ? {} : { team_users: staleOf(scope), team_users_sort: staleSort(health) };
  return { ...healthKey(scope, health), ...health, ...due, ...listed };
}

const ifUnchanged = ({ connected_on, due_at }: ConnectionHealth): Expression => ({
  ConditionExpression: "connected_on = :made AND due_at = :due",
  ExpressionAttributeValues: { ":made": connected_on, ":due": due_at },
});
