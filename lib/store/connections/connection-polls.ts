import * as z from "zod";
import { connectionPolls } from "../../contract/resources.ts";
import {
  addRefresh,
  type ConnectionPoll,
  type ConnectionPollRef,
  connectionPoll,
} from "../../domain/connections/pulls/connection-poll.ts";
import { isConditionMet, retryConditionFailed } from "../condition-failed.ts";
import { type DueItems, DueShards } from "../due-index.ts";
import type { Key } from "../item.ts";
import { putNextVersion } from "../put-next-version.ts";
import type { Table } from "../table.ts";
import type { TeamScope } from "../team-scope.ts";
import type { WriteItem } from "../transaction.ts";

const POLL = "of#";
/** Maximum due polls of a partition in one sweep. */
const MAX_DUE = 3_000;
/** Maximum due polls of one sweep. The last of 16 digits of a user id selects the partition, and a partition has at most 3. */
export const MAX_POLLS_PER_SWEEP = (MAX_DUE * 16) / 3;
/** Polls of one query. */
const PAGE_SIZE = 100;
/** Index partitions of polls with a due time. */
const shards = new DueShards(`${connectionPolls.keyPrefix}due#`, {
  count: 8,
  limit: MAX_DUE,
  pageSize: PAGE_SIZE,
  former: `${connectionPolls.keyPrefix}due`,
});
/** A poll of the index. */
const duePoll = connectionPoll.required({ due_at: true });

const partition = (scope: TeamScope, userId: string) => `${connectionPolls.keyPrefix}${scope.teamId}#${userId}`;
const pollKey = (scope: TeamScope, { user_id, provider }: ConnectionPollRef): Key => ({
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

  get(scope: TeamScope, name: ConnectionPollRef): Promise<ConnectionPoll | undefined> {
    return this.#table.get(pollKey(scope, name), connectionPoll);
  }

  /** Returns the polls of all connections of a user. */
  list(scope: TeamScope, userId: string): Promise<ConnectionPoll[]> {
    const input = {
      KeyConditionExpression: "pk = :pk AND begins_with(sk, :poll)",
      ExpressionAttributeValues: { ":pk": partition(scope, userId), ":poll": POLL },
    };
    return Array.fromAsync(this.#table.queryAll(input, connectionPoll));
  }

  /** Builds the write of a new connection's poll. It replaces that of an earlier connection. */
  putItem(scope: TeamScope, poll: ConnectionPoll): WriteItem {
    return { Put: { TableName: this.#table.name, Item: this.#item(scope, poll) } };
  }

  /** Replaces a poll, on condition that it is unchanged. @returns the stored poll; undefined if it has changed. */
  async replace(scope: TeamScope, before: ConnectionPoll, after: ConnectionPoll): Promise<ConnectionPoll | undefined> {
    const stored = { ...after, version: before.version + 1 };
    const isStored = await isConditionMet(
      this.#table.put(this.#item(scope, stored), {
        ConditionExpression: "version = :version AND connected_on = :connection",
        ExpressionAttributeValues: { ":version": before.version, ":connection": before.connected_on },
      }),
    );
    return isStored ? stored : undefined;
  }

  /** Returns polls that are due. */
  listDue(nowMs: number): Promise<DueItems<ConnectionPoll>> {
    return shards.find(this.#table, duePoll, nowMs);
  }

  /** Counts a refresh of a user. @returns undefined, or the instant (epoch ms) of the next permitted refresh. */
  reserveRefresh(scope: TeamScope, userId: string, nowMs: number): Promise<number | undefined> {
    const key = refreshesKey(scope, userId);
    return retryConditionFailed(async () => {
      const before = await this.#table.get(key, refreshes);
      const at = addRefresh(before?.at ?? [], nowMs);
      if (!Array.isArray(at)) return at.atMs;
      await putNextVersion(this.#table, { ...key, at }, before?.version ?? 0);
      return undefined;
    }, COUNTING_ATTEMPTS);
  }

  #item(scope: TeamScope, poll: ConnectionPoll) {
    const shard = poll.due_at === undefined ? {} : { due_shard: shards.of(poll.user_id) };
    return { ...pollKey(scope, poll), ...poll, ...shard };
  }

  eraseUser(scope: TeamScope, userId: string): Promise<number> {
    return this.#table.deletePartition(partition(scope, userId));
  }
}
