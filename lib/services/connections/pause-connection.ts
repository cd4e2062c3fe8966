import type { UserRecord } from "../../domain/users/user.ts";
import type { Dependencies } from "../../runtime/dependency-table.ts";
import { isoNow } from "../../runtime/ports.ts";
import { isConditionMet } from "../../store/condition-failed.ts";
import type { TeamScope } from "../../store/team-scope.ts";

export type PauseConnectionDependencies = Dependencies<"users" | "connectionCredentials" | "commit">;

/**
 * Pauses a connection: stops its pulls and token refreshes until the user connects again.
 * @returns whether the connection is paused; false for a connection that does not work, or during a token refresh.
 */
export async function pauseConnection(
  { users, connectionCredentials, commit }: PauseConnectionDependencies,
  scope: TeamScope,
  user: UserRecord,
  provider: string,
): Promise<boolean> {
  const connection = user.connections[provider];
  if (connection?.status === "paused") return true;
  if (connection?.status !== "connected") return false;
  const name = { user_id: user.user_id, provider, connected_on: connection.created_on };
  const paused = { ...connection, status: "paused" as const };
  return isConditionMet(
    commit([
      users.putConnectionItem(scope, user.user_id, provider, paused, { made: connection.created_on }),
      connectionCredentials.pauseItem(scope, name, isoNow()),
    ]),
  );
}
