import { quotas } from "../contract/resources.ts";
import type { Table } from "./table.ts";
import type { TeamScope } from "./team-scope.ts";
import type { WriteItem } from "./transaction.ts";

/** A counter among those over which a quota is spread, so that creations at the same time do not wait for one another. */
export interface QuotaPlace {
  readonly place: number;
  /** The most that this counter counts; those of all places add up to the quota. */
  readonly most: number;
}

/** Counts what there may be only so many of, each change being part of the transaction that creates or removes one. */
export class QuotaStore {
  readonly #table: Table;

  constructor(table: Table) {
    this.#table = table;
  }

  /** Counts one user more. The transaction is refused when the place is full. */
  takeUserItem(scope: TeamScope, { place, most }: QuotaPlace): WriteItem {
    return this.#take(scope.teamId, `users#${place}`, most);
  }

  /** Counts one user less at the place where it was counted. */
  freeUserItem(scope: TeamScope, place: number): WriteItem {
    return this.#add(scope.teamId, `users#${place}`, -1);
  }

  /** Counts one team more. The transaction is refused when the organisation has as many. */
  takeTeamItem(orgId: string, most: number): WriteItem {
    return this.#take(`org#${orgId}`, "teams", most);
  }

  /** Counts one team less. */
  freeTeamItem(orgId: string): WriteItem {
    return this.#add(`org#${orgId}`, "teams", -1);
  }

  /** Counts one lab account more. The transaction is refused when the organisation has as many. */
  takeLabAccountItem(orgId: string, most: number): WriteItem {
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
