import { bulkSteps } from "../../contract/resources.ts";
import { BULK_MS, type BulkStep, type BulkStepName, bulkStep } from "../../domain/linking/bulk-op.ts";
import { ConditionFailed } from "../condition-failed.ts";
import type { Key, Table } from "../table.ts";
import type { TeamScope } from "../team-scope.ts";
import type { WriteItem } from "../transaction.ts";

/** Index partition of pending steps. */
const DUE = `${bulkSteps.keyPrefix}due`;
/** Maximum steps of one read. */
const MOST_FOUND = 500;

const partition = (scope: TeamScope, userId: string) => `${bulkSteps.keyPrefix}${scope.teamId}#${userId}`;
const stepKey = (scope: TeamScope, { user_id, op }: Pick<BulkStepName, "user_id" | "op">): Key => ({
  pk: partition(scope, user_id),
  sk: op,
});

/** Steps of bulk operations, one for each user. A step with its input belongs to the user. */
export class BulkStepStore {
  readonly #table: Table;

  constructor(table: Table) {
    this.#table = table;
  }

  get(scope: TeamScope, step: BulkStepName): Promise<BulkStep | undefined> {
    return this.#table.get(stepKey(scope, step), bulkStep);
  }

  /** Returns the steps of an operation that exist, in no order. */
  ofUsers(scope: TeamScope, op: string, userIds: readonly string[]): Promise<BulkStep[]> {
    const keys = userIds.map((user_id) => stepKey(scope, { user_id, op }));
    return this.#table.getMany(keys, bulkStep);
  }

  /** Creates a step. @param startedAt start of the operation, ISO 8601. */
  begin(scope: TeamScope, step: BulkStep, startedAt: string): Promise<void> {
    const expires_at = Math.floor((Date.parse(startedAt) + BULK_MS) / 1000);
    return this.#table.put({ ...stepKey(scope, step), ...step, due_shard: DUE, expires_at });
  }

  /** Returns steps by due time; steps that are due now come first. */
  async upcoming(): Promise<BulkStep[]> {
    const { items } = await this.#table.query(
      {
        IndexName: "due",
        KeyConditionExpression: "due_shard = :due",
        ExpressionAttributeValues: { ":due": DUE },
        Limit: MOST_FOUND,
      },
      bulkStep,
    );
    return items;
  }

  /** Postpones a step, on condition that it is unchanged. @returns whether it was. */
  async postpone(scope: TeamScope, step: BulkStep, dueAt: string): Promise<boolean> {
    try {
      await this.#table.update(stepKey(scope, step), {
        UpdateExpression: "SET due_at = :later",
        ConditionExpression: "due_at = :due",
        ExpressionAttributeValues: { ":later": dueAt, ":due": step.due_at },
      });
      return true;
    } catch (error) {
      if (error instanceof ConditionFailed) return false;
      throw error;
    }
  }

  /** Builds the update that completes a step once and deletes its input. */
  endItem(scope: TeamScope, step: BulkStepName, status: "success" | "failure"): WriteItem {
    return {
      Update: {
        TableName: this.#table.name,
        Key: stepKey(scope, step),
        UpdateExpression: "SET #status = :status REMOVE sealed, due_at, due_shard",
        ConditionExpression: "#status = :pending",
        ExpressionAttributeNames: { "#status": "status" },
        ExpressionAttributeValues: { ":status": status, ":pending": "pending" },
      },
    };
  }

  eraseUser(scope: TeamScope, userId: string): Promise<number> {
    return this.#table.erasePartition(partition(scope, userId));
  }
}
