import { createHash } from "node:crypto";
import * as z from "zod";
import { providerAccounts } from "../../contract/resources.ts";
import type { UserRecord } from "../../domain/users/user.ts";
import type { Key } from "../item.ts";
import type { Table } from "../table.ts";
import type { TeamScope } from "../team-scope.ts";
import type { WriteItem } from "../transaction.ts";

/** An account at a provider, by the provider's id. */
export interface ProviderAccount {
  readonly provider: string;
  readonly accountId: string;
  /** The OAuth client that has access to the account, if any. */
  readonly clientId?: string;
}

const connectedUsers = z.looseObject({ sk: z.string(), connected_users: z.set(z.string()).default(new Set()) });

/** The attribute with the OAuth client of a user's connection. */
const clientAttribute = (userId: string) => `client#${userId}`;

/** The users of a team connected to an account. */
interface ConnectedUsers {
  readonly teamId: string;
  readonly userIds: readonly string[];
  /** OAuth clients by user. A connection by a login has none, nor has one that an earlier version wrote. */
  readonly clientIds: ReadonlyMap<string, string>;
}

function partition({ provider, accountId }: ProviderAccount): string {
  const digest = createHash("sha256").update(accountId).digest("hex");
  return `${providerAccounts.keyPrefix}${provider}#${digest}`;
}

/** The key consists of account and team, so that a provider's push finds the users of an account. */
const accountKey = (scope: TeamScope, account: ProviderAccount): Key => ({ pk: partition(account), sk: scope.teamId });

/** Users of a team connected to an account at a provider: one item for each account, with a set of users. */
export class ProviderAccountStore {
  readonly #table: Table;

  constructor(table: Table) {
    this.#table = table;
  }

  /** Returns the users connected to an account, of all teams. */
  async listConnectedUsers(account: ProviderAccount): Promise<ConnectedUsers[]> {
    const input = { KeyConditionExpression: "pk = :pk", ExpressionAttributeValues: { ":pk": partition(account) } };
    const items = await Array.fromAsync(this.#table.queryAll(input, connectedUsers));
    return items.map(({ sk, connected_users, ...others }) => {
      const userIds = [...connected_users];
      const clients = userIds.map((userId) => [userId, others[clientAttribute(userId)]] as const);
      const clientIds = new Map(clients.filter((one): one is [string, string] => typeof one[1] === "string"));
      return { teamId: sk, userIds, clientIds };
    });
  }

  /**
   * Builds the updates that connect a user to an account, this one first, and disconnect it from its previous account at
   * the provider. @param alone as for {@link connectItem}.
   */
  connectItems(scope: TeamScope, account: ProviderAccount, user: UserRecord, alone: boolean): WriteItem[] {
    const { provider, accountId } = account;
    const isSame = user.connections[provider]?.external_user_id === accountId;
    const previous = isSame ? [] : this.disconnectItems(scope, user, [provider]);
    return [this.connectItem(scope, account, user.user_id, alone), ...previous];
  }

  /**
   * Builds the update that connects a user to an account.
   * @param alone fails if another user of the team is connected.
   */
  connectItem(scope: TeamScope, account: ProviderAccount, userId: string, alone: boolean): WriteItem {
    const { clientId } = account;
    return {
      Update: {
        TableName: this.#table.name,
        Key: accountKey(scope, account),
        UpdateExpression: `ADD connected_users :me ${clientId === undefined ? "REMOVE #client" : "SET #client = :client"}`,
        ExpressionAttributeNames: { "#client": clientAttribute(userId) },
        ExpressionAttributeValues: {
          ":me": new Set([userId]),
          ...(clientId === undefined ? {} : { ":client": clientId }),
        },
        ...(alone ? { ConditionExpression: "attribute_not_exists(connected_users) OR connected_users = :me" } : {}),
      },
    };
  }

  /** Builds the updates that disconnect a user from its accounts at these providers, by default at all. */
  disconnectItems(scope: TeamScope, user: UserRecord, providers = Object.keys(user.connections)): WriteItem[] {
    return providers.flatMap((provider) => {
      const accountId = user.connections[provider]?.external_user_id;
      return accountId === undefined ? [] : [this.#disconnectItem(scope, { provider, accountId }, user.user_id)];
    });
  }

  #disconnectItem(scope: TeamScope, account: ProviderAccount, userId: string): WriteItem {
    return {
      Update: {
        TableName: this.#table.name,
        Key: accountKey(scope, account),
        UpdateExpression: "DELETE connected_users :me REMOVE #client",
        ExpressionAttributeNames: { "#client": clientAttribute(userId) },
        ExpressionAttributeValues: { ":me": new Set([userId]) },
      },
    };
  }
}
