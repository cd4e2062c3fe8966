import { connectionCredentials } from "../../contract/resources.ts";
import type { ConsentOutcome } from "../../domain/erasure.ts";
import { type ConnectionCredentials, credentialsRecord } from "../../domain/linking/connection-credentials.ts";
import { ConditionFailed } from "../condition-failed.ts";
import type { Expression, Key, Table } from "../table.ts";
import type { TeamScope } from "../team-scope.ts";
import type { WriteItem } from "../transaction.ts";

const partition = (scope: TeamScope, userId: string) => `${connectionCredentials.keyPrefix}${scope.teamId}#${userId}`;
const credentialsKey = (scope: TeamScope, { user_id, provider }: Named): Key => ({
  pk: partition(scope, user_id),
  sk: provider,
});

/** Whether nobody is refreshing. */
const noLease = "(attribute_not_exists(lease_until) OR lease_until <= :now)";

type Named = Pick<ConnectionCredentials, "user_id" | "provider">;
/** What a refresh changes. */
type Refreshed = Pick<ConnectionCredentials, "sealed" | "access_ends_at">;

/** Credentials of connections, of which one caller at a time refreshes those of one. */
export class ConnectionCredentialStore {
  readonly #table: Table;

  constructor(table: Table) {
    this.#table = table;
  }

  get(scope: TeamScope, userId: string, provider: string): Promise<ConnectionCredentials | undefined> {
    return this.#table.get(credentialsKey(scope, { user_id: userId, provider }), credentialsRecord);
  }

  /** The credentials of all connections of a user. */
  list(scope: TeamScope, userId: string): Promise<ConnectionCredentials[]> {
    const of = { KeyConditionExpression: "pk = :pk", ExpressionAttributeValues: { ":pk": partition(scope, userId) } };
    return Array.fromAsync(this.#table.all(of, credentialsRecord));
  }

  /** Notes what became of the access of a user who is being erased. @returns whether the credentials are still there. */
  noteGivenBack(scope: TeamScope, read: Named, given_back: ConsentOutcome): Promise<boolean> {
    return this.#changes(scope, read, {
      UpdateExpression: "SET given_back = :outcome",
      ConditionExpression: "attribute_exists(pk)",
      ExpressionAttributeValues: { ":outcome": given_back },
    });
  }

  /** Ends the pause of credentials that are to be given back. @returns whether they are still the same. */
  endPause(scope: TeamScope, read: ConnectionCredentials): Promise<boolean> {
    return this.#changes(scope, read, {
      UpdateExpression: "REMOVE paused_at",
      ConditionExpression: "version = :version",
      ExpressionAttributeValues: { ":version": read.version },
    });
  }

  /** The credentials of a new connection, in place of those of an earlier one to the same provider. */
  putItem(scope: TeamScope, credentials: ConnectionCredentials): WriteItem {
    return { Put: { TableName: this.#table.name, Item: { ...credentialsKey(scope, credentials), ...credentials } } };
  }

  /** Drops the credentials of a connection, if there are any. */
  removeItem(scope: TeamScope, userId: string, provider: string): WriteItem {
    return { Delete: { TableName: this.#table.name, Key: credentialsKey(scope, { user_id: userId, provider }) } };
  }

  /** Ends refreshing, of credentials that nobody is refreshing. @param now ISO 8601. */
  pauseItem(scope: TeamScope, read: Named & Pick<ConnectionCredentials, "connected_on">, now: string): WriteItem {
    return {
      Update: {
        TableName: this.#table.name,
        Key: credentialsKey(scope, read),
        UpdateExpression: "SET paused_at = :now",
        ConditionExpression: `connected_on = :connection AND ${noLease}`,
        ExpressionAttributeValues: { ":now": now, ":connection": read.connected_on },
      },
    };
  }

  /** Takes the right to refresh what was read. @returns false where it was refreshed meanwhile, or somebody is at it. */
  lease(scope: TeamScope, read: ConnectionCredentials, now: string, until: string): Promise<boolean> {
    return this.#changes(scope, read, {
      UpdateExpression: "SET lease_until = :until",
      ConditionExpression: `version = :version AND attribute_not_exists(paused_at) AND ${noLease}`,
      ExpressionAttributeValues: { ":version": read.version, ":now": now, ":until": until },
    });
  }

  /** Gives the right back without having refreshed. @param until as it was taken. */
  release(scope: TeamScope, read: ConnectionCredentials, until: string): Promise<boolean> {
    return this.#changes(scope, read, {
      UpdateExpression: "REMOVE lease_until",
      ConditionExpression: "version = :version AND lease_until = :until",
      ExpressionAttributeValues: { ":version": read.version, ":until": until },
    });
  }

  /** Keeps what a refresh gave. @returns false where the connection ended or was made anew meanwhile. */
  refresh(scope: TeamScope, read: ConnectionCredentials, { sealed, access_ends_at }: Refreshed): Promise<boolean> {
    return this.#changes(scope, read, {
      UpdateExpression: "SET sealed = :sealed, access_ends_at = :ends, version = version + :one REMOVE lease_until",
      ConditionExpression: "version = :version AND connected_on = :connection",
      ExpressionAttributeValues: {
        ":sealed": sealed,
        ":ends": access_ends_at,
        ":one": 1,
        ":version": read.version,
        ":connection": read.connected_on,
      },
    });
  }

  async #changes(scope: TeamScope, read: Named, change: Expression & { UpdateExpression: string }): Promise<boolean> {
    try {
      await this.#table.update(credentialsKey(scope, read), change);
      return true;
    } catch (error) {
      if (error instanceof ConditionFailed) return false;
      throw error;
    }
  }

  eraseUser(scope: TeamScope, userId: string): Promise<number> {
    return this.#table.erasePartition(partition(scope, userId));
  }
}
