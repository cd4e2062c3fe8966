import { connectionCredentials } from "../../contract/resources.ts";
import { type ConnectionCredentials, credentialsRecord } from "../../domain/connections/connection-credentials.ts";
import type { ConsentOutcome } from "../../domain/erasure/erasure-certificate.ts";
import { isConditionMet } from "../condition-failed.ts";
import type { Key } from "../item.ts";
import type { ItemUpdate, Table } from "../table.ts";
import type { TeamScope } from "../team-scope.ts";
import type { WriteItem } from "../transaction.ts";

const partition = (scope: TeamScope, userId: string) => `${connectionCredentials.keyPrefix}${scope.teamId}#${userId}`;
const credentialsKey = (scope: TeamScope, { user_id, provider }: Named): Key => ({
  pk: partition(scope, user_id),
  sk: provider,
});

/** Condition: no refresh is in progress. */
const noLease = "(attribute_not_exists(lease_until) OR lease_until <= :now)";

type Named = Pick<ConnectionCredentials, "user_id" | "provider">;
/** Fields that a refresh changes. */
type Refreshed = Pick<ConnectionCredentials, "sealed" | "access_ends_at">;

/** Credentials of connections. One caller at a time refreshes the credentials of a connection. */
export class ConnectionCredentialStore {
  readonly #table: Table;

  constructor(table: Table) {
    this.#table = table;
  }

  get(scope: TeamScope, userId: string, provider: string): Promise<ConnectionCredentials | undefined> {
    return this.#table.get(credentialsKey(scope, { user_id: userId, provider }), credentialsRecord);
  }

  /** Returns the credentials of all connections of a user. */
  list(scope: TeamScope, userId: string): Promise<ConnectionCredentials[]> {
    const of = { KeyConditionExpression: "pk = :pk", ExpressionAttributeValues: { ":pk": partition(scope, userId) } };
    return Array.fromAsync(this.#table.queryAll(of, credentialsRecord));
  }

  /** Records the outcome of revoking the access of a user in erasure. @returns whether the credentials still exist. */
  recordRevocation(scope: TeamScope, read: Named, given_back: ConsentOutcome): Promise<boolean> {
    return this.#changes(scope, read, {
      UpdateExpression: "SET given_back = :outcome",
      ConditionExpression: "attribute_exists(pk)",
      ExpressionAttributeValues: { ":outcome": given_back },
    });
  }

  /** Resumes refreshing of credentials that are to be revoked. @returns whether they are unchanged. */
  resume(scope: TeamScope, read: ConnectionCredentials): Promise<boolean> {
    return this.#changes(scope, read, {
      UpdateExpression: "REMOVE paused_at",
      ConditionExpression: "version = :version",
      ExpressionAttributeValues: { ":version": read.version },
    });
  }

  /**
   * Builds the write of a new connection's credentials. It replaces those of an earlier connection to the same
   * provider.
   */
  putItem(scope: TeamScope, credentials: ConnectionCredentials): WriteItem {
    return { Put: { TableName: this.#table.name, Item: { ...credentialsKey(scope, credentials), ...credentials } } };
  }

  /** Builds the write that deletes the credentials of a connection, if any. */
  deleteItem(scope: TeamScope, userId: string, provider: string): WriteItem {
    return { Delete: { TableName: this.#table.name, Key: credentialsKey(scope, { user_id: userId, provider }) } };
  }

  /** Builds the update that pauses refreshing. It fails during a refresh. @param now ISO 8601. */
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

  /**
   * Acquires the lease to refresh credentials.
   * @returns false if they were refreshed in the meantime, or a refresh is in progress.
   */
  acquireLease(scope: TeamScope, read: ConnectionCredentials, now: string, until: string): Promise<boolean> {
    return this.#changes(scope, read, {
      UpdateExpression: "SET lease_until = :until",
      ConditionExpression: `version = :version AND attribute_not_exists(paused_at) AND ${noLease}`,
      ExpressionAttributeValues: { ":version": read.version, ":now": now, ":until": until },
    });
  }

  /** Releases the lease without a refresh. @param until end of the acquired lease. */
  releaseLease(scope: TeamScope, read: ConnectionCredentials, until: string): Promise<boolean> {
    return this.#changes(scope, read, {
      UpdateExpression: "REMOVE lease_until",
      ConditionExpression: "version = :version AND lease_until = :until",
      ExpressionAttributeValues: { ":version": read.version, ":until": until },
    });
  }

  /** Stores refreshed credentials. @returns false if the connection ended or was replaced in the meantime. */
  putRefreshed(scope: TeamScope, read: ConnectionCredentials, { sealed, access_ends_at }: Refreshed): Promise<boolean> {
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

  #changes(scope: TeamScope, read: Named, change: ItemUpdate): Promise<boolean> {
    return isConditionMet(this.#table.update(credentialsKey(scope, read), change));
  }

  eraseUser(scope: TeamScope, userId: string): Promise<number> {
    return this.#table.deletePartition(partition(scope, userId));
  }
}
