import { historicalPulls } from "../../contract/resources.ts";
import { type HistoricalPull, historicalPull, type PullRef } from "../../domain/connections/pulls/historical-pull.ts";
import { isConditionMet } from "../condition-failed.ts";
import { type DueItems, dueQuery } from "../due-index.ts";
import type { Key } from "../item.ts";
import type { Table } from "../table.ts";
import type { TeamScope } from "../team-scope.ts";
import type { WriteItem } from "../transaction.ts";

/** Index partition of pulls in progress. */
const DUE = `${historicalPulls.keyPrefix}due`;
/** Maximum pulls of one sweep. */
const MAX_PULLS_PER_SWEEP = 500;

const partition = (scope: TeamScope, userId: string) => `${historicalPulls.keyPrefix}${scope.teamId}#${userId}`;
const pullKey = (scope: TeamScope, { user_id, provider, resource }: PullRef): Key => ({
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

  get(scope: TeamScope, name: PullRef): Promise<HistoricalPull | undefined> {
    return this.#table.get(pullKey(scope, name), historicalPull);
  }

  /** Returns the pulls of all connections of a user. */
  list(scope: TeamScope, userId: string): Promise<HistoricalPull[]> {
    const input = {
      KeyConditionExpression: "pk = :pk",
      ExpressionAttributeValues: { ":pk": partition(scope, userId) },
    };
    return Array.fromAsync(this.#table.queryAll(input, historicalPull));
  }

  /** Builds the write of a new pull. It replaces that of an earlier connection. */
  putItem(scope: TeamScope, pull: HistoricalPull): WriteItem {
    return { Put: { TableName: this.#table.name, Item: itemOf(scope, pull) } };
  }

  /** Replaces a pull, on condition that it is unchanged. @returns whether it was. */
  replace(scope: TeamScope, before: HistoricalPull, after: HistoricalPull): Promise<boolean> {
    return isConditionMet(
      this.#table.put(itemOf(scope, after), {
        ConditionExpression: "due_at = :due AND connected_on = :connection",
        ExpressionAttributeValues: { ":due": before.due_at, ":connection": before.connected_on },
      }),
    );
  }

  /** Returns pulls that are due by now, and the due time of the next one; instants are ISO 8601. */
  async listDue(now: string): Promise<DueItems<HistoricalPull>> {
    const { items } = await this.#table.query(dueQuery(DUE, MAX_PULLS_PER_SWEEP), historicalPull);
    const isDue = ({ due_at = now }: HistoricalPull) => due_at <= now;
    return { due: items.filter(isDue), nextDueAt: items.find((pull) => !isDue(pull))?.due_at };
  }

  eraseUser(scope: TeamScope, userId: string): Promise<number> {
    return this.#table.deletePartition(partition(scope, userId));
  }
}
