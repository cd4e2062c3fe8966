import { erasures } from "../../contract/resources.ts";
import { type ErasureRecord, erasedName, erasureRecord } from "../../domain/erasure.ts";
import { ConditionFailed } from "../condition-failed.ts";
import { isNew, type Key, type Table } from "../table.ts";
import type { TeamScope } from "../team-scope.ts";
import type { WriteItem } from "../transaction.ts";

const erasureKey = ({ teamId }: TeamScope, userId: string): Key => ({
  pk: `${erasures.keyPrefix}${teamId}`,
  sk: erasedName(teamId, userId),
});

/** The completion of an erasure. */
export type ErasureEnd = Required<Pick<ErasureRecord, "erased_at" | "scan">>;

/** Erasure certificates, by a digest of the user's id. They also list the users that must never come back. */
export class ErasureStore {
  readonly #table: Table;

  constructor(table: Table) {
    this.#table = table;
  }

  get(scope: TeamScope, userId: string): Promise<ErasureRecord | undefined> {
    return this.#table.get(erasureKey(scope, userId), erasureRecord);
  }

  /** Records the extent of an erasure, unless an earlier run did. @returns the first record. */
  async begin(scope: TeamScope, userId: string, record: ErasureRecord): Promise<ErasureRecord> {
    try {
      await this.#table.put({ ...erasureKey(scope, userId), ...record }, { ConditionExpression: isNew });
      return record;
    } catch (error) {
      if (!(error instanceof ConditionFailed)) throw error;
      return (await this.get(scope, userId)) ?? record;
    }
  }

  /** Builds the write that completes an erasure. A completed erasure keeps its completion. */
  endItem(scope: TeamScope, userId: string, { erased_at, scan }: ErasureEnd): WriteItem {
    return {
      Update: {
        TableName: this.#table.name,
        Key: erasureKey(scope, userId),
        UpdateExpression:
          "SET erased_at = if_not_exists(erased_at, :now), #scan = if_not_exists(#scan, :scan) REMOVE order_ids",
        ExpressionAttributeNames: { "#scan": "scan" },
        ConditionExpression: "attribute_exists(pk)",
        ExpressionAttributeValues: { ":now": erased_at, ":scan": scan },
      },
    };
  }
}
