import * as z from "zod";
import { connectionPolls } from "../../contract/resources.ts";
import {
  type ConnectionPoll,
  connectionPoll,
  oneMoreRefresh,
  type PollName,
} from "../../domain/linking/connection-poll.ts";
import { ConditionFailed } from "../condition-failed.ts";
import { isNew, type Key, type Table } from "../table.ts";
import type { TeamScope } from "../team-scope.ts";
import type { WriteItem } from "../transaction.ts";

const POLL = "of#";
/** Index partition of polls with a due time. */
const DUE = `${connectionPolls.keyPrefix}due`;
/** Maximum polls of one read. */
const MOST_FOUND = 500;

const partition = (scope: TeamScope, userId: string) => `${connectionPolls.keyPrefix}${scope.teamId}#${userId}`;
const pollKey = (scope: TeamScope, { user_id, provider }: PollName): Key => ({
  pk: partition(scope, user_id),
  sk: `${POLL}${provider}`,
});
const refreshesKey = (scope: TeamScope, userId: string): Key => ({ pk: partition(scope, userId), sk: "refreshes" });
const refreshes = z.object({ at: z.array(z.number()), version: z.number() });
/** Attempts to count a refresh that conflicts with others of the same user. */
const COUNTING_ATTEMPTS = 20;

/** Progress of pulling the newest data of connections. */
export class ConnectionPollStore {
  readonly #table: Table;

  constructor(table: Table) {
    this.#table = table;
  }

  get(scope: TeamScope, name: PollName): Promise<ConnectionPoll | undefined> {
    return this.#table.get(pollKey(scope, name), connectionPoll);
  }

  /** Returns the polls of all connections of a user. */
  list(scope: TeamScope, userId: string): Promise<ConnectionPoll[]> {
    const input = {
      KeyConditionExpression: "pk = :pk AND begins_with(sk, :poll)",
      ExpressionAttributeValues: { ":pk": partition(scope, userId), ":poll": POLL },
    };
    return Array.fromAsync(this.#table.all(input, connectionPoll));
  }

  /** Builds the write of a new connection's poll. It replaces that of an earlier connection. */
  putItem(scope: TeamScope, poll: ConnectionPoll): WriteItem {
    return { Put: { TableName: this.#table.name, Item: this.#item(scope, poll) } };
  }

  /** Replaces a poll, on condition that it is unchanged. @returns the stored poll; undefined if it has changed. */
  async replace(scope: TeamScope, before: ConnectionPoll, after: ConnectionPoll): Promise<ConnectionPoll | undefined> {
    const stored = { ...after, version: before.version + 1 };
    try {
      await this.#table.put(this.#item(scope, stored), {
        ConditionExpression: "version = :version AND connected_on = :connection",
        ExpressionAttributeValues: { ":version": before.version, ":connection": before.connected_on },
      });
      return stored;
    } catch (error) {
      if (error instanceof ConditionFailed) return undefined;
      throw error;
    }
  }

  /** Returns polls by due time; polls that are due now come first. */
  async upcoming(): Promise<ConnectionPoll[]> {
    const { items } = await this.#table.query(
      {
        IndexName: "due",
        KeyConditionExpression: "due_shard = :due",
        ExpressionAttributeValues: { ":due": DUE },
        Limit: MOST_FOUND,
      },
      connectionPoll,
    );
    return items;
  }

  /** Counts a refresh of a user. @returns undefined, or the instant (epoch ms) of the next permitted refresh. */
  async takeRefresh(scope: TeamScope, userId: string, nowMs: number): Promise<number | undefined> {
    const key = refreshesKey(scope, userId);
    for (let attempt = 1; ; attempt++) {
      const before = await this.#table.get(key, refreshes);
      const at = oneMoreRefresh(before?.at ?? [], nowMs);
      if (!Array.isArray(at)) return at.atMs;
      const version = (before?.version ?? 0) + 1;
      try {
        await this.#table.put(
          { ...key, at, version },
          before ? isVersion(before.version) : { ConditionExpression: isNew },
        );
        return undefined;
      } catch (error) {
        if (!(error instanceof ConditionFailed) || attempt === COUNTING_ATTEMPTS) throw error;
      }
    }
  }

  #item(scope: TeamScope, poll: ConnectionPoll) {
    const shard = poll.due_at === undefined ? {} : { due_shard: DUE };
    return { ...pollKey(scope, poll), ...poll, ...shard };
  }

  eraseUser(scope: TeamScope, userId: string): Promise<number> {
    return this.#table.erasePartition(partition(scope, userId));
  }
}

const isVersion = (version: number) => ({
  ConditionExpression: "version = :version",
  ExpressionAttributeValues: { ":version": version },
});
