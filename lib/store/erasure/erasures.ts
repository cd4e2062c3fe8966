import { erasures } from "../../contract/resources.ts";
import { type ErasureRecord, erasureRecord, userDigest } from "../../domain/erasure/erasure-certificate.ts";
import { isConditionMet } from "../condition-failed.ts";
import type { Key } from "../item.ts";
import { NOT_EXISTS, type Table } from "../table.ts";
import type { TeamScope } from "../team-scope.ts";
import type { WriteItem } from "../transaction.ts";

const erasureKey = ({ teamId }: TeamScope, userId: string): Key => ({
  pk: `${erasures.keyPrefix}${teamId}`,
  sk: userDigest(teamId, userId),
});

/** The completion of an erasure. */
export type ErasureCompletion = Required<Pick<ErasureRecord, "erased_at" | "scan">>;

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
  async start(scope: TeamScope, userId: string, record: ErasureRecord): Promise<ErasureRecord> {
    const item = { ...erasureKey(scope, userId), ...record };
    const isFirst = await isConditionMet(this.#table.put(item, { ConditionExpression: NOT_EXISTS }));
    return isFirst ? record : ((await this.get(scope, userId)) ?? record);
  }

  /** Builds the write that completes an erasure. A completed erasure keeps its completion. */
  completeItem(scope: TeamScope, userId: string, { erased_at, scan }: ErasureCompletion): WriteItem {
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
