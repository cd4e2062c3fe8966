import { quotas } from "../../contract/resources.ts";
import type { Table } from "../table.ts";
import type { TeamScope } from "../team-scope.ts";
import type { WriteItem } from "../transaction.ts";

/** One counter of a sharded quota. Shards let concurrent creations proceed without contention. */
export interface QuotaShard {
  readonly shard: number;
  /** Maximum of this counter. The maxima of all shards add up to the quota. */
  readonly max: number;
}

/** Counts limited resources. Each change belongs to the transaction that creates or deletes one. */
export class QuotaStore {
  readonly #table: Table;

  constructor(table: Table) {
    this.#table = table;
  }

  /** Counts one more user. The transaction fails if the shard is full. */
  reserveUserItem(scope: TeamScope, { shard, max }: QuotaShard): WriteItem {
    return this.#take(scope.teamId, `users#${shard}`, max);
  }

  /** Counts one user less in the shard that counted the user. */
  releaseUserItem(scope: TeamScope, place: number): WriteItem {
    return this.#add(scope.teamId, `users#${place}`, -1);
  }

  /** Counts one more team. The transaction fails if the organisation has reached its quota. */
  reserveTeamItem(orgId: string, most: number): WriteItem {
    return this.#take(`org#${orgId}`, "teams", most);
  }

  /** Counts one team less. */
  releaseTeamItem(orgId: string): WriteItem {
    return this.#add(`org#${orgId}`, "teams", -1);
  }

  /** Counts one more lab account. The transaction fails if the organisation has reached its quota. */
  reserveLabAccountItem(orgId: string, most: number): WriteItem {
    return this.#take(`org#${orgId}`, "lab_accounts", most);
  }

  #take(of: string, sk: string, most: number): WriteItem {
    const { Update } = this.#add(of, sk, 1);
    const isBelow = most > 0 ? "attribute_not_exists(pk) OR taken < :most" : "taken < :most";
    const values = { ...Update.ExpressionAttributeValues, ":most": most };
    return { Update: { ...Update, ConditionExpression: isBelow, ExpressionAttributeValues: values } };
  }

  #add(of: string, sk: string, count: number) {
    const Update = {
      TableName: this.#table.name,
      Key: { pk: `${quotas.keyPrefix}${of}`, sk },
      UpdateExpression: "ADD taken :count",
      ExpressionAttributeValues: { ":count": count } as Record<string, number>,
    };
    return { Update };
  }
}
