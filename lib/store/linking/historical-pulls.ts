import { historicalPulls } from "../../contract/resources.ts";
import { type HistoricalPull, historicalPull, type PullName } from "../../domain/linking/historical-pull.ts";
import { ConditionFailed } from "../condition-failed.ts";
import type { Key, Table } from "../table.ts";
import type { TeamScope } from "../team-scope.ts";
import type { WriteItem } from "../transaction.ts";

/** Index partition of pulls in progress. */
const DUE = `${historicalPulls.keyPrefix}due`;
/** Maximum pulls of one sweep. */
const MOST_SWEPT = 500;

const partition = (scope: TeamScope, userId: string) => `${historicalPulls.keyPrefix}${scope.teamId}#${userId}`;
const pullKey = (scope: TeamScope, { user_id, provider, resource }: PullName): Key => ({
  pk: partition(scope, user_id),
  sk: `${provider}#${resource}`,
});
const itemOf = (scope: TeamScope, pull: HistoricalPull) => ({
  ...pullKey(scope, pull),
  ...pull,
  ...(pull.due_at === undefined ? {} : { due_shard: DUE }),
});

/** Historical pulls of new connections. They stay stored after their end. */
export class HistoricalPullStore {
  readonly #table: Table;

  constructor(table: Table) {
    this.#table = table;
  }

  get(scope: TeamScope, name: PullName): Promise<HistoricalPull | undefined> {
    return this.#table.get(pullKey(scope, name), historicalPull);
  }

  /** Returns the pulls of all connections of a user. */
  list(scope: TeamScope, userId: string): Promise<HistoricalPull[]> {
    const input = {
      KeyConditionExpression: "pk = :pk",
      ExpressionAttributeValues: { ":pk": partition(scope, userId) },
    };
    return Array.fromAsync(this.#table.all(input, historicalPull));
  }

  /** Builds the write of a new pull. It replaces that of an earlier connection. */
  putItem(scope: TeamScope, pull: HistoricalPull): WriteItem {
    return { Put: { TableName: this.#table.name, Item: itemOf(scope, pull) } };
  }

  /** Replaces a pull, on condition that it is unchanged. @returns whether it was. */
  async replace(scope: TeamScope, before: HistoricalPull, after: HistoricalPull): Promise<boolean> {
    try {
      await this.#table.put(itemOf(scope, after), {
        ConditionExpression: "due_at = :due AND connected_on = :connection",
        ExpressionAttributeValues: { ":due": before.due_at, ":connection": before.connected_on },
      });
      return true;
    } catch (error) {
      if (error instanceof ConditionFailed) return false;
      throw error;
    }
  }

  /** Returns pulls that are due by now, and the due time of the next one; instants are ISO 8601. */
  async due(now: string): Promise<{ due: HistoricalPull[]; nextDueAt: string | undefined }> {
    const { items } = await this.#table.query(
      {
        IndexName: "due",
        KeyConditionExpression: "due_shard = :due",
        ExpressionAttributeValues: { ":due": DUE },
        Limit: MOST_SWEPT,
      },
      historicalPull,
    );
    const isDue = ({ due_at = now }: HistoricalPull) => due_at <= now;
    return { due: items.filter(isDue), nextDueAt: items.find((pull) => !isDue(pull))?.due_at };
  }

  eraseUser(scope: TeamScope, userId: string): Promise<number> {
    return this.#table.erasePartition(partition(scope, userId));
  }
}
