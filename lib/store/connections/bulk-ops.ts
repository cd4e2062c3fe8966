import { bulkOps } from "../../contract/resources.ts";
import { type BulkOp, bulkOp } from "../../domain/connections/bulk-op.ts";
import type { Key } from "../item.ts";
import type { Page, Table } from "../table.ts";
import type { TeamScope } from "../team-scope.ts";
import type { WriteItem } from "../transaction.ts";

/** Retention of bulk operations. */
const KEPT_S = 90 * 24 * 60 * 60;

const opKey = (scope: TeamScope, op: string): Key => ({ pk: `${bulkOps.keyPrefix}${scope.teamId}`, sk: op });

/** Bulk operations on connections of a team. */
export class BulkOpStore {
  readonly #table: Table;

  constructor(table: Table) {
    this.#table = table;
  }

  get(scope: TeamScope, op: string): Promise<BulkOp | undefined> {
    return this.#table.get(opKey(scope, op), bulkOp);
  }

  create(scope: TeamScope, op: BulkOp): Promise<void> {
    const expires_at = Math.floor(Date.parse(op.started_at) / 1000) + KEPT_S;
    return this.#table.put({ ...opKey(scope, op.op), ...op, expires_at });
  }

  /** Builds the update that counts a completed step. @param now ISO 8601. */
  recordStepItem(scope: TeamScope, op: string, isFailed: boolean, now: string): WriteItem {
    return {
      Update: {
        TableName: this.#table.name,
        Key: opKey(scope, op),
        UpdateExpression: "SET ended_at = :now ADD pending :less, #processed :one, failed :failed",
        ConditionExpression: "pending > :none",
        ExpressionAttributeNames: { "#processed": "processed" },
        ExpressionAttributeValues: { ":now": now, ":less": -1, ":one": 1, ":failed": isFailed ? 1 : 0, ":none": 0 },
      },
    };
  }

  /** Returns a page, newest first. @param before the last operation of the previous page. */
  list(scope: TeamScope, before: string | undefined, limit: number): Promise<Page<BulkOp>> {
    const { pk } = opKey(scope, "");
    return this.#table.query(
      {
        KeyConditionExpression: "pk = :pk",
        ExpressionAttributeValues: { ":pk": pk },
        ...(before === undefined ? {} : { ExclusiveStartKey: { pk, sk: before } }),
        ScanIndexForward: false,
        Limit: limit,
      },
      bulkOp,
    );
  }
}
