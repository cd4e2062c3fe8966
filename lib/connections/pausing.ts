import type { UserRecord } from "../domain/user.ts";
import { isoNow } from "../runtime/ports.ts";
import { ConditionFailed } from "../store/condition-failed.ts";
import type { ConnectionCredentialStore } from "../store/linking/connection-credentials.ts";
import type { TeamScope } from "../store/team-scope.ts";
import type { WriteItem } from "../store/transaction.ts";
import type { UserStore } from "../store/users.ts";

export interface PausingUses {
  readonly users: UserStore;
  readonly connectionCredentials: ConnectionCredentialStore;
  readonly commit: (items: readonly WriteItem[]) => Promise<void>;
}

/**
 * Pauses a connection: stops its pulls and token refreshes until the user connects again.
 * @returns whether the connection is paused; false for a connection that does not work, or during a token refresh.
 */
export async function pauseConnection(
  { users, connectionCredentials, commit }: PausingUses,
  scope: TeamScope,
  user: UserRecord,
  provider: string,
): Promise<boolean> {
  const connection = user.connections[provider];
  if (connection?.status === "paused") return true;
  if (connection?.status !== "connected") return false;
  const name = { user_id: user.user_id, provider, connected_on: connection.created_on };
  try {
    await commit([
      users.connectItem(
        scope,
        user.user_id,
        provider,
        { ...connection, status: "paused" },
        { made: connection.created_on },
      ),
      connectionCredentials.pauseItem(scope, name, isoNow()),
    ]);
    return true;
  } catch (error) {
    if (error instanceof ConditionFailed) return false;
    throw error;
  }
}
