import { bulkSteps } from "../../contract/resources.ts";
import { BULK_OP_TIMEOUT_MS, type BulkStep, type BulkStepRef, bulkStep } from "../../domain/connections/bulk-op.ts";
import { isConditionMet } from "../condition-failed.ts";
import { dueQuery } from "../due-index.ts";
import type { Key } from "../item.ts";
import type { Table } from "../table.ts";
import type { TeamScope } from "../team-scope.ts";
import type { WriteItem } from "../transaction.ts";

/** Index partition of pending steps. */
const DUE = `${bulkSteps.keyPrefix}due`;
/** Maximum steps of one read. */
const MAX_STEPS_PER_READ = 500;

const partition = (scope: TeamScope, userId: string) => `${bulkSteps.keyPrefix}${scope.teamId}#${userId}`;
const stepKey = (scope: TeamScope, { user_id, op }: Pick<BulkStepRef, "user_id" | "op">): Key => ({
  pk: partition(scope, user_id),
  sk: op,
});

/** Steps of bulk operations, one for each user. A step with its input belongs to the user. */
export class BulkStepStore {
  readonly #table: Table;

  constructor(table: Table) {
    this.#table = table;
  }

  get(scope: TeamScope, step: BulkStepRef): Promise<BulkStep | undefined> {
    return this.#table.get(stepKey(scope, step), bulkStep);
  }

  /** Returns the steps of an operation that exist, in no order. */
  getMany(scope: TeamScope, op: string, userIds: readonly string[]): Promise<BulkStep[]> {
    const keys = userIds.map((user_id) => stepKey(scope, { user_id, op }));
    return this.#table.getMany(keys, bulkStep);
  }

  /** Creates a step. @param startedAt start of the operation, ISO 8601. */
  create(scope: TeamScope, step: BulkStep, startedAt: string): Promise<void> {
    const expires_at = Math.floor((Date.parse(startedAt) + BULK_OP_TIMEOUT_MS) / 1000);
    return this.#table.put({ ...stepKey(scope, step), ...step, due_shard: DUE, expires_at });
  }

  /** Returns steps by due time; steps that are due now come first. */
  async listUpcoming(): Promise<BulkStep[]> {
    return (await this.#table.query(dueQuery(DUE, MAX_STEPS_PER_READ), bulkStep)).items;
  }

  /** Postpones a step, on condition that it is unchanged. @returns whether it was. */
  postpone(scope: TeamScope, step: BulkStep, dueAt: string): Promise<boolean> {
    return isConditionMet(
      this.#table.update(stepKey(scope, step), {
        UpdateExpression: "SET due_at = :later",
        ConditionExpression: "due_at = :due",
        ExpressionAttributeValues: { ":later": dueAt, ":due": step.due_at },
      }),
    );
  }

  /** Builds the update that completes a step once and deletes its input. */
  completeItem(scope: TeamScope, step: BulkStepRef, status: "success" | "failure"): WriteItem {
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
    return this.#table.deletePartition(partition(scope, userId));
  }
}
