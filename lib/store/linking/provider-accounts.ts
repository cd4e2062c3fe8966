import { createHash } from "node:crypto";
import { providerAccounts } from "../../contract/resources.ts";
import type { Key, Table } from "../table.ts";
import type { TeamScope } from "../team-scope.ts";
import type { WriteItem } from "../transaction.ts";

/** An account at a provider, by the provider's own id of it. */
export interface ProviderAccount {
  readonly provider: string;
  readonly accountId: string;
}

/** By account and team, so that a provider's push finds the users of an account. */
function accountKey(scope: TeamScope, { provider, accountId }: ProviderAccount): Key {
  const digest = createHash("sha256").update(accountId).digest("hex");
  return { pk: `${providerAccounts.keyPrefix}${provider}#${digest}`, sk: scope.teamId };
}

/** Which users of a team are connected to an account at a provider: one item an account, a set of users in it. */
export class ProviderAccountStore {
  readonly #table: Table;

  constructor(table: Table) {
    this.#table = table;
  }

  /** Notes that a user is connected to an account. @param alone refuses it where another user of the team is. */
  connectItem(scope: TeamScope, account: ProviderAccount, userId: string, alone: boolean): WriteItem {
    return {
      Update: {
        TableName: this.#table.name,
        Key: accountKey(scope, account),
        UpdateExpression: "ADD connected_users :me",
        ExpressionAttributeValues: { ":me": new Set([userId]) },
        ...(alone ? { ConditionExpression: "attribute_not_exists(connected_users) OR connected_users = :me" } : {}),
      },
    };
  }

  /** Notes that a user is connected no longer. */
  disconnectItem(scope: TeamScope, account: ProviderAccount, userId: string): WriteItem {
    return {
      Update: {
        TableName: this.#table.name,
        Key: accountKey(scope, account),
        UpdateExpression: "DELETE connected_users :me",
        ExpressionAttributeValues: { ":me": new Set([userId]) },
      },
    };
  }
}
